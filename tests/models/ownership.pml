// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The protocol of regions: runtime/src/ownership/region.hpp says in words what is checked here for all
   interleavings of a few ranks with a few steps each. The ranks' steps are the rows of ownership_steps.txt; check.py
   makes of each row the numbers NEXT_state_step and MEMORY_state_step, which the inline of that name asserts, and
   sees to it that there is one for each row. (What becomes of the old region's counter is the business of the
   properties here, and of the runtime's test.)

   RANKS, STEPS (of all ranks together), REGIONS, PIECES (of a copy), STOCK (references taken at a time) and KEPT (at
   most, of those that arrive) come from check.py. Memory is sequentially
   consistent here; the orders that this needs of a weaker one are argued in region.hpp and watched by
   ThreadSanitizer. */

#define NOTHING 255

/* What the protocol has. */
byte counter[REGIONS];
chan mailbox[RANKS] = [2 * STEPS] of { byte, bit };     /* a region, and what it held when it was sent; never full */

/* What it must be right about. */
byte references[REGIONS];                           /* variables and messages that refer to it */
bool live[REGIONS];                                 /* allocated, and not freed since */
byte reading[REGIONS];                              /* ranks that read it now */
bool writing[REGIONS];
bit value[REGIONS];
byte over;                                          /* ranks that have ended; then, those that have taken their mail */
byte left = STEPS;                                  /* steps that may still be made, whoever makes them */

/* States of a variable, as in the table. */
#define NONE 0
#define SOLE 1
#define SHARED 2
/* What it refers to. */
#define NO_MEMORY 0
#define SAME 1
#define NEW 2
#define COPY 3
#define ARRIVED 4

#define STATE(r) (r == NOTHING -> NONE : (references[r] == own -> SOLE : SHARED))

/* A region that nobody has. There are enough of them. */
inline allocate(r) {
  d_step {
    r = 0;
    do
    :: r < REGIONS && live[r] -> r++
    :: else -> break
    od;
    assert(r < REGIONS);
    live[r] = true;
    counter[r] = 1;
    references[r] = 1
  }
}

inline free(r) {
  d_step {
    assert(live[r]);
    assert(references[r] == 0);
    assert(reading[r] == 0 && !writing[r]);
    live[r] = false;
    counter[r] = 0
  }
}

/* A reference of this rank's variable becomes a message's, which is yet to be sent. Of `least` references the
   variable keeps one: as refer() in handle.cpp. */
inline refer(r, least) {
  skip;
  if
  :: own <= least ->
     d_step {
       assert(live[r] && references[r] >= 1);
       counter[r] = counter[r] + STOCK;
       references[r] = references[r] + STOCK;
       own = own + STOCK
     }
  :: else
  fi;
  own--
}

/* As let_go() in region.cpp. */
inline let_go(r, some) {
  if
  :: counter[r] == some ->
     d_step { assert(references[r] >= some); references[r] = references[r] - some };
     free(r)
  :: else ->
     d_step {
       assert(live[r] && references[r] >= some);
       references[r] = references[r] - some;
       counter[r] = counter[r] - some;
       last = (counter[r] == 0)
     };
     if
     :: last -> free(r)
     :: else
     fi
  fi;
  last = false
}

/* Reading takes time; nobody writes meanwhile. */
inline read(r) {
  d_step {
    assert(live[r] && !writing[r]);
    reading[r]++;
    seen = value[r]
  };
  d_step {
    assert(live[r] && !writing[r]);
    assert(seen == value[r]);
    reading[r]--;
    seen = 0
  }
}

/* So does writing; nobody else refers to the region, or reads it. */
inline write(r) {
  d_step {
    assert(live[r] && references[r] == own);
    assert(reading[r] == 0 && !writing[r]);
    writing[r] = true
  };
  d_step {
    assert(references[r] == own && reading[r] == 0);
    value[r] = 1 - value[r];
    writing[r] = false
  }
}

inline send(r) {
  mailbox[to] ! r, value[r]
}

/* A block may send a value that is given away more than once. Its messages leave when all have their references, and
   the variable has none any more. */
inline refer_all() {
  refer(mine, 0);
  if
  :: refer(mine, 0); twice = true
  :: skip
  fi;
  if
  :: own > 0 -> drop()
  :: else
  fi
}
inline send_all() {
  send(mine);
  if
  :: twice -> send(mine)
  :: else
  fi;
  twice = false
}

/* Compared with the table. Others may have let go of what is shared meanwhile, so it may be sole by now. */
inline compare(next, memory) {
  d_step {
    assert(STATE(mine) == next || (next == SHARED && STATE(mine) == SOLE));
    assert(mine == NOTHING || (counter[mine] == references[mine] && own >= 1 && own <= references[mine]));
    assert(memory != NO_MEMORY || mine == NOTHING);
    assert(memory != SAME || mine == before);
    assert(memory != NEW || (mine != NOTHING && mine != copy));
    assert(memory != COPY || mine == copy);
    assert(memory != ARRIVED || mine == arrived);
    before = NOTHING
  }
}

/* ---- the rows of the table ---- */

inline fresh() { allocate(mine); own = 1 }
inline take() { mine = arrived; own = 1 }
inline drop() { let_go(mine, own); own = 0 }

inline none_acquire() { atomic { before = mine; fresh(); compare(NEXT_none_acquire, MEMORY_none_acquire) } }
inline none_overwrite() { atomic { before = mine; fresh(); compare(NEXT_none_overwrite, MEMORY_none_overwrite) } }
inline none_release() { atomic { before = mine; compare(NEXT_none_release, MEMORY_none_release) } }
inline none_adopt_given() {
  atomic { before = mine; take(); compare(NEXT_none_adopt_given, MEMORY_none_adopt_given) }
}
inline none_adopt_shared() {
  atomic { before = mine; take(); compare(NEXT_none_adopt_shared, MEMORY_none_adopt_shared) }
}

inline sole_read() { read(mine); atomic { before = mine; compare(NEXT_sole_read, MEMORY_sole_read) } }
inline sole_acquire() { atomic { before = mine; compare(NEXT_sole_acquire, MEMORY_sole_acquire) } }
inline sole_overwrite() { atomic { before = mine; compare(NEXT_sole_overwrite, MEMORY_sole_overwrite) } }
inline sole_release() {
  drop(); atomic { before = mine; mine = NOTHING; compare(NEXT_sole_release, MEMORY_sole_release) }
}
inline sole_share() {
  refer(mine, 1); atomic { before = mine; compare(NEXT_sole_share, MEMORY_sole_share) }; send(mine)
}
inline sole_give() {
  refer_all(); atomic { send_all(); before = mine; mine = NOTHING; compare(NEXT_sole_give, MEMORY_sole_give) }
}
inline sole_adopt_given() {
  drop(); atomic { before = mine; take(); compare(NEXT_sole_adopt_given, MEMORY_sole_adopt_given) }
}
inline sole_adopt_shared() {
  drop(); atomic { before = mine; take(); compare(NEXT_sole_adopt_shared, MEMORY_sole_adopt_shared) }
}

inline shared_read() { read(mine); atomic { before = mine; compare(NEXT_shared_read, MEMORY_shared_read) } }
inline shared_acquire() {
  drop();
  atomic { before = mine; value[copy] = copied; mine = copy; own = 1; compare(NEXT_shared_acquire, MEMORY_shared_acquire) }
}
inline shared_acquire_abandoned() {
  let_go(copy, 1); atomic { before = mine; compare(NEXT_shared_acquire_abandoned, MEMORY_shared_acquire_abandoned) }
}
inline shared_overwrite() {
  drop(); atomic { before = mine; fresh(); compare(NEXT_shared_overwrite, MEMORY_shared_overwrite) }
}
inline shared_release() {
  drop(); atomic { before = mine; mine = NOTHING; compare(NEXT_shared_release, MEMORY_shared_release) }
}
inline shared_share() {
  refer(mine, 1); atomic { before = mine; compare(NEXT_shared_share, MEMORY_shared_share) }; send(mine)
}
inline shared_share_stock() {
  own--; atomic { before = mine; compare(NEXT_shared_share_stock, MEMORY_shared_share_stock) }; send(mine)
}
inline shared_give() {
  refer_all(); atomic { send_all(); before = mine; mine = NOTHING; compare(NEXT_shared_give, MEMORY_shared_give) }
}
inline shared_give_stock() {
  refer_all();
  atomic { send_all(); before = mine; mine = NOTHING; compare(NEXT_shared_give_stock, MEMORY_shared_give_stock) }
}
inline shared_adopt_given() {
  drop(); atomic { before = mine; take(); compare(NEXT_shared_adopt_given, MEMORY_shared_adopt_given) }
}
inline shared_adopt_shared() {
  drop(); atomic { before = mine; take(); compare(NEXT_shared_adopt_shared, MEMORY_shared_adopt_shared) }
}
inline shared_adopt_same() {
  atomic { before = mine; own++; compare(NEXT_shared_adopt_same, MEMORY_shared_adopt_same) }
}

inline shared_take_back() {
  atomic {
    before = mine; own = own + lent; borrowed = NOTHING; lent = 0;
    compare(NEXT_shared_take_back, MEMORY_shared_take_back)
  }
}

/* ---- what a rank does, which chooses the row by the counter as the runtime does ---- */

inline acquire() {
  if
  :: mine == NOTHING -> none_acquire()
  :: mine != NOTHING && counter[mine] == own -> sole_acquire()
  :: else ->
     allocate(copy);
     piece = 0;
     do
     :: counter[mine] == own -> shared_acquire_abandoned(); break
     :: else ->
        if
        :: piece < PIECES ->
           read(mine);
           assert(piece == 0 || copied == value[mine]);
           copied = value[mine];
           piece++
        :: else -> shared_acquire(); break
        fi
     od;
     copy = NOTHING;
     piece = 0;
     copied = 0
  fi
}

inline overwrite() {
  if
  :: mine == NOTHING -> none_overwrite()
  :: mine != NOTHING && counter[mine] == own -> sole_overwrite()
  :: else -> shared_overwrite()
  fi
}

inline release() {
  if
  :: mine == NOTHING -> none_release()
  :: mine != NOTHING && counter[mine] == own -> sole_release()
  :: else -> shared_release()
  fi
}

/* A second variable of the rank has one reference of the first, and gives it back where that is of use. */
inline lend() {
  refer(mine, 1);
  d_step { borrowed = mine; lent = 1 }
}
inline give_back() {
  if
  :: mine == borrowed -> shared_take_back()
  :: else -> let_go(borrowed, lent); d_step { borrowed = NOTHING; lent = 0 }
  fi
}

inline share_or_give() {
  if
  :: counter[mine] == own -> if :: sole_share() :: sole_give() fi
  :: counter[mine] > own && own == 1 -> if :: shared_share() :: shared_give() fi
  :: counter[mine] > own && own > 1 -> if :: shared_share_stock() :: shared_give_stock() fi
  fi
}

inline adopt() {
  assert(live[arrived] && value[arrived] == sent);   /* the value is that of the moment at which it was sent */
  if
  :: mine == NOTHING && counter[arrived] == 1 -> none_adopt_given()
  :: mine == NOTHING && counter[arrived] > 1 -> none_adopt_shared()
  :: mine != NOTHING && counter[mine] == own && counter[arrived] == 1 -> sole_adopt_given()
  :: mine != NOTHING && counter[mine] == own && counter[arrived] > 1 -> sole_adopt_shared()
  :: mine != NOTHING && counter[mine] > own && counter[arrived] == 1 -> shared_adopt_given()
  :: mine != NOTHING && counter[mine] > own && counter[arrived] > 1 && !(mine == arrived && own < KEPT) ->
     shared_adopt_shared()
  :: mine == arrived && own < KEPT -> shared_adopt_same()
  fi;
  arrived = NOTHING;
  sent = 0
}

proctype rank(byte me) {
  byte mine = NOTHING, before = NOTHING, copy = NOTHING, arrived = NOTHING, borrowed = NOTHING, own, lent, to, piece;
  bit copied, seen, sent;
  bool last, twice;
  fresh();
  do
  :: atomic { left > 0 -> left-- };
     if
     :: true -> acquire(); write(mine)
     :: true -> overwrite(); write(mine)
     :: true -> release()
     :: mine != NOTHING -> if :: counter[mine] == own -> sole_read() :: else -> shared_read() fi
     :: mine != NOTHING ->
        to = (me + 1) % RANKS;
        if
        :: RANKS > 2 -> to = (me + 2) % RANKS
        :: skip
        fi;
        share_or_give();
        to = 0
     :: mine != NOTHING && lent == 0 -> lend()
     :: lent > 0 -> read(borrowed)
     :: lent > 0 -> give_back()
     :: nempty(mailbox[me]) -> mailbox[me] ? arrived, sent; adopt()
     fi
  :: left == 0 && over == me -> break      /* one after another: ends add nothing to the steps */
  od;
  if
  :: lent > 0 -> give_back()
  :: else
  fi;
  release();
  over++;
  over == RANKS + me;
  do
  :: mailbox[me] ? arrived, sent -> let_go(arrived, 1); arrived = NOTHING; sent = 0
  :: empty(mailbox[me]) -> break
  od;
  over++
}

/* The ranks, and when all of them have ended: nothing is left. */
init {
  byte i;
  atomic {
    do
    :: i < RANKS -> run rank(i); i++
    :: else -> break
    od
  }
  _nr_pr == 1;
  d_step {
    i = 0;
    do
    :: i < REGIONS ->
       assert(!live[i] && references[i] == 0 && counter[i] == 0);
       i++
    :: else -> break
    od
  }
}
