// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The receiver of the model in queue.pml, which says what is what, and the start of all. */

#define BIT(s, at) (1 << ((at) - first[s]))
/* Of all cells of the message that begins there. */
#define SIZE(s, at) CELLS_OF(marks[AT(s, at)] & IS_TWO, at)
#define BITS(s, at) ((SIZE(s, at) == 2 -> 3 : 1) << ((at) - first[s]))
/* Where a message counts that was received or is kept. */
#define NOWHERE 0
#define IN_WORD 1
#define IN_RING 2

/* The sender may sleep until there is room. */
inline tell_room(s) {
  must_wake = (awaits[s] == RECEIVER);
  if
  :: must_wake -> must_wake = false; wake(s)
  :: else
  fi
}

/* As RingReceiver::drop() and keep(). */
inline drop(s, at) {
  d_step {
    out[s] = out[s] | BITS(s, at);
    gone[s] = gone[s] | BITS(s, at);
    if
    :: marks[AT(s, at)] & WEIGHING -> weighs[s] = weighs[s] | BIT(s, at)
    :: else
    fi;
    moved = false;
    weighed = false;
    do
    :: gone[s] & 1 ->
       moved = true;
       weighed = weighed || (weighs[s] & 1);
       weighs[s] = weighs[s] >> 1;
       gone[s] = gone[s] >> 1;
       out[s] = out[s] >> 1;
       first[s]++
    :: else -> break
    od
  };
  if
  :: moved && weighed -> store(TAKEN, s, first[s], SEQ_CST); tell_room(s)
  :: moved && !weighed -> store(TAKEN, s, first[s], RELEASE)
  :: else
  fi;
  moved = false; weighed = false
}
inline keep(s, at) {
  marks[AT(s, at)] = marks[AT(s, at)] | KEPT;
  drop(s, at)
}

/* As give_credit(). */
inline give_credit(s, amount) {
  d_step { flush(); word[s] = word[s] - amount; flight[s] = flight[s] - amount; must_wake = marked[s] };
  if
  :: must_wake -> must_wake = false; marked[s] = false; wake(s)
  :: else
  fi
}
/* What was counted in the pair's word no longer is, unless that was given back when a cycle was broken. */
inline uncount(s) {
  if
  :: lent[s] > 0 -> lent[s]--; give_credit(s, 0)
  :: else -> give_credit(s, 1)
  fi
}

/* A long message is used from here on, until let_go(). */
inline hold(s, b, where, at) {
  d_step {
    assert(used[b] && content[b] == wanted && !reading[b]);
    reading[b] = true;
    h = 0;
    do
    :: held[h] != NOTHING -> h++
    :: else -> break
    od;
    held[h] = b; held_from[h] = s; held_number[h] = wanted; held_counts[h] = where; held_at[h] = at;
    h = 0
  }
}
inline forget() {
  d_step { held[h] = NOTHING; held_from[h] = 0; held_number[h] = 0; held_counts[h] = NOWHERE; held_at[h] = 0 }
}
inline end_reading() {
  d_step { assert(reading[held[h]] && content[held[h]] == held_number[h]); reading[held[h]] = false }
}
/* It is used no more, or for a while yet but no longer in flight. */
inline let_go() {
  if
  :: held_counts[h] == IN_RING ->
     end_reading(); flight[held_from[h]]--; drop(held_from[h], held_at[h]); forget()
  :: held_counts[h] == IN_RING ->
     d_step { held_counts[h] = NOWHERE; flight[held_from[h]]-- }; keep(held_from[h], held_at[h])
  :: held_counts[h] == IN_WORD -> held_counts[h] = NOWHERE; uncount(held_from[h])
  :: held_counts[h] == NOWHERE -> end_reading(); give_back_memory(held[h]); forget()
  fi
}

#define EARLY(s, n) early[(s) * MESSAGES + (n)]
#define EARLY_COUNTS(s, n) early_counts[(s) * MESSAGES + (n)]

#define IS_WHOLE(s, at, n) \
  (payload[LINE(s, at)] == n && (!(marks[AT(s, at)] & IS_TWO) || payload[LINE(s, at) + 1] == n))

/* What is in a cell, received later; the message does not count as in flight with the ring. As detach(). */
inline detach(s, at, where) {
  d_step {
    b = (marks[AT(s, at)] & WEIGHING -> payload[LINE(s, at)] : SHORT);
    n = number[AT(s, at)];
    assert(EARLY(s, n) == NOTHING && (b != SHORT || IS_WHOLE(s, at, n)));
    EARLY(s, n) = b;
    EARLY_COUNTS(s, n) = where;
    flight[s] = flight[s] - (b != SHORT && where == NOWHERE -> 1 : 0) + (b == SHORT && where == IN_WORD -> 1 : 0)
  };
  if
  :: b != SHORT -> keep(s, at)
  :: else -> drop(s, at)
  fi;
  b = 0; n = 0
}

/* The long message in use that lies in a cell no longer counts as in flight with the ring. */
inline keep_held(s, at, where) {
  d_step {
    h = 0;
    do
    :: held[h] == NOTHING || held_counts[h] != IN_RING || held_from[h] != s || held_at[h] != at -> h++
    :: else -> break
    od;
    held_counts[h] = where;
    flight[s] = flight[s] - (where == NOWHERE -> 1 : 0);
    h = 0
  };
  keep(s, at)
}

/* As settle_rings(): first what is expected, then what others are held back by. */
#define HELD_BACK(s) (weighs[s] != 0)
/* A message is there, at this position, that has not been given out. */
#define IS_OUT(s, at) (out[s] & BIT(s, at))
#define IS_THERE(s, at) (!IS_OUT(s, at) && stamp[AT(s, at)] == (at) + 1)
inline take_expected(s) {
  position = first[s];
  do
  :: IS_OUT(s, position) -> position++
  :: IS_THERE(s, position) ->
     if
     :: marks[AT(s, position)] & WEIGHING ->
        detach(s, position, NOWHERE);
        position = first[s]
     :: else -> position = position + SIZE(s, position)
     fi
  :: else -> break
  od;
  position = 0
}
inline settle(s) {
  if
  :: EXPECTED -> take_expected(s)
  :: else
  fi;
  do
  :: HELD_BACK(s) ->
     if
     :: out[s] & 1 -> word[s]++; keep_held(s, first[s], IN_WORD)
     :: else -> word[s]++; detach(s, first[s], IN_WORD)
     fi
  :: else -> break
  od
}
/* As acknowledge(). */
#define TO_UNCOUNT(s, n) (EXPECTED && EARLY(s, n) != NOTHING && EARLY_COUNTS(s, n) == IN_WORD)
inline acknowledge() {
  do
  :: from < SENDERS && (EXPECTED || HELD_BACK(from)) ->
     settle(from);
     do
     :: atomic { n < MESSAGES && !TO_UNCOUNT(from, n) -> n++ }
     :: n < MESSAGES && TO_UNCOUNT(from, n) -> EARLY_COUNTS(from, n) = NOWHERE; uncount(from)
     :: atomic { n == MESSAGES -> n = 0; break }
     od;
     from++
  :: atomic { from < SENDERS && !EXPECTED && !HELD_BACK(from) -> from++ }
  :: atomic { from == SENDERS -> from = 0; break }
  od
}

/* As break_cycle(), for who waits for data of senders that wait for room: lends it. */
#define WAITS_FOR(s) ((ANY || s == chosen) && next[s * STREAMS + t] < MESSAGES)
#define IN_CYCLE(s) (WAITS_FOR(s) && !changed[me] && awaits[s] == RECEIVER)
inline lend(s) {
  position = first[s];
  do
  :: IS_OUT(s, position) -> position++
  :: IS_THERE(s, position) -> detach(s, position, NOWHERE); position = first[s]
  :: atomic { !IS_OUT(s, position) && !IS_THERE(s, position) -> position = 0; break }
  od;
  do
  :: out[s] & 1 -> keep_held(s, first[s], NOWHERE)
  :: else -> break
  od;
  n = word[s];
  if
  :: n > 0 -> lent[s] = lent[s] + n; give_credit(s, n); n = 0
  :: else
  fi
}
inline break_cycle() {
  do
  :: from < SENDERS && IN_CYCLE(from) ->
     if
     :: !changed[from] -> lend(from)
     :: else
     fi;
     from++
  :: atomic { from < SENDERS && !IN_CYCLE(from) -> from++ }
  :: atomic { from == SENDERS -> from = 0; break }
  od
}

/* As Mailbox::take(). */
inline take_mail() {
  do
  :: nempty(mail) ->
     d_step {
       mail ? from, n, b;
       assert(EARLY(from, n) == NOTHING);
       EARLY(from, n) = b;
       EARLY_COUNTS(from, n) = IN_WORD;
       from = 0; n = 0; b = 0
     }
  :: empty(mail) -> break
  od
}

/* Whether the stream's next message of sender s lies in its ring: at `position`, then. */
inline find(s) {
  atomic { found = false; position = first[s] };
  do
  :: atomic { IS_OUT(s, position) -> position++ }
  :: atomic {
       IS_THERE(s, position) ->
       if
       :: number[AT(s, position)] % STREAMS != t -> position = position + SIZE(s, position)
       :: else -> found = (number[AT(s, position)] == wanted); break
       fi
     }
  :: atomic { !IS_OUT(s, position) && !IS_THERE(s, position) -> break }
  od
}

/* The next message has been received. */
inline deliver(s, n) {
  d_step {
    assert(n == next[s * STREAMS + t]);
    next[s * STREAMS + t] = n + STREAMS;
    left--;
    got = true
  }
}

/* Does something with the stream's next message of each sender that is asked. */
#define OF_EACH(what) \
  from = 0; \
  do \
  :: from < SENDERS && !got -> \
     if \
     :: WAITS_FOR(from) -> wanted = next[from * STREAMS + t]; what(from) \
     :: else \
     fi; \
     from++ \
  :: else -> break \
  od; \
  from = 0; \
  wanted = 0

/* Takes the stream's next message from those that are kept, or from the ring. */
inline take_kept(s) {
  if
  :: wanted < MESSAGES && EARLY(s, wanted) != NOTHING ->
     if
     :: EARLY(s, wanted) == SHORT -> owed = (EARLY_COUNTS(s, wanted) == IN_WORD -> s : NOBODY)
     :: else -> hold(s, EARLY(s, wanted), EARLY_COUNTS(s, wanted), 0)
     fi;
     EARLY(s, wanted) = NOTHING;
     EARLY_COUNTS(s, wanted) = NOWHERE;
     deliver(s, wanted)
  :: else
  fi
}
inline take_any_kept() {
  atomic { OF_EACH(take_kept) };
  if
  :: owed != NOBODY -> uncount(owed); owed = NOBODY
  :: else
  fi
}
inline take_from_ring(s) {
  find(s);
  if
  :: found ->
     found = false;
     n = number[AT(s, position)];
     if
     :: marks[AT(s, position)] & WEIGHING ->
        out[s] = out[s] | BIT(s, position);
        hold(s, payload[LINE(s, position)], IN_RING, position)
     :: else ->
        assert(IS_WHOLE(s, position, wanted));
        drop(s, position)
     fi;
     deliver(s, n);
     n = 0
  :: else
  fi;
  position = 0
}

inline look(s) {
  find(s);
  atomic { here = here || found || EARLY(s, wanted) != NOTHING; found = false; position = 0 }
}

/* As receive() while nothing is there. */
inline lie_down() {
  read_signal();
  store(AWAITS, me, (ANY -> EVERYONE : chosen), SEQ_CST);
  acknowledge();
  here = false;
  OF_EACH(look);
  if
  :: !here ->
     break_cycle();
     /* As Mailbox::sleep(). */
     if
     :: atomic { empty(mail) -> asleep = true }; futex_wait(); asleep = false
     :: nempty(mail)
     fi
  :: else
  fi;
  here = false;
  store(AWAITS, me, NOBODY, RELAXED)
}

/* Something to receive is chosen. */
#define LAST (SENDERS - 1)
#define IS_LEFT(s, stream) (stream < STREAMS && next[(s) * STREAMS + (stream) % STREAMS] < MESSAGES)
inline choose() {
  atomic {
    if
    :: IS_LEFT(0, 0) && !(IN_TURN && next[0] >= FIRST && IS_LEFT(LAST, 0)) -> chosen = 0; t = 0
    :: IS_LEFT(0, 1) -> chosen = 0; t = 1
    :: IS_LEFT(LAST, 0) && !(IN_TURN && next[0] < FIRST) -> chosen = (ANY -> 0 : LAST); t = 0
    :: IS_LEFT(LAST, 1) -> chosen = (ANY -> 0 : LAST); t = 1
    fi
  }
}
/* Some of those in use are let go, at least if there is no place for another. */
inline let_some_go() {
  do
  :: held[0] != NOTHING -> h = 0; let_go(); h = 0
  :: HELD > 1 && held[HELD - 1] != NOTHING -> h = HELD - 1; let_go(); h = 0
  :: held[0] == NOTHING || held[HELD - 1] == NOTHING -> break
  od
}

proctype receiver(byte me) {
  byte first[SENDERS], out[SENDERS], gone[SENDERS], weighs[SENDERS], lent[SENDERS];
  byte next[SENDERS * STREAMS];
  byte early[SENDERS * MESSAGES] = NOTHING, early_counts[SENDERS * MESSAGES];
  byte held[HELD] = NOTHING, held_from[HELD], held_number[HELD], held_counts[HELD], held_at[HELD];
  byte left = SENDERS * MESSAGES, chosen, t, owed = NOBODY, from, wanted, position, n, b, h;
  bool got, found, here, moved, weighed, must_wake;
  d_step {
    do
    :: n < SENDERS * STREAMS -> next[n] = n % STREAMS; n++
    :: else -> n = 0; break
    od;
    if
    :: IN_TURN -> next[LAST] = MESSAGES - 1; left = left - (MESSAGES - 1)
    :: else
    fi
  }
  do
  :: left > 0 ->
     let_some_go();
     choose();
     do
     :: !got ->
        take_any_kept();
        if :: !got -> OF_EACH(take_from_ring) :: else fi;
        if :: !got -> take_mail(); take_any_kept() :: else fi;
        if :: !got -> lie_down() :: else fi
     :: else -> break
     od;
     atomic { got = false; chosen = 0; t = 0 }
  :: else -> break
  od;
  do
  :: held[0] != NOTHING -> h = 0; let_go()
  :: HELD > 1 && held[HELD - 1] != NOTHING -> h = HELD - 1; let_go()
  :: held[0] == NOTHING && held[HELD - 1] == NOTHING -> break
  od;
  over = true
}

init {
  byte i;
  atomic {
    do
    :: i < SENDERS -> run sender(i); run store_buffer(i); i++
    :: else -> break
    od;
    run store_buffer(RECEIVER);
    run receiver(RECEIVER)
  }
}
