// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How messages go from one rank to another of the same machine, checked for all interleavings of a few messages:
   the ring (runtime/src/transport/ring.hpp, rings.cpp), the mailbox and its sleep (mailbox.hpp), who sleeps for whom
   (Presence in local.hpp), the bytes in flight (inflight.hpp), and what a rank does with them (rank.cpp, cycles.cpp).

   SENDERS ranks send MESSAGES each to one receiver, by rings of CELLS cells and by its mailbox. With WIDE a message may
   take two cells (the real ones have up to five), the second of which has, where its stamp would be, anything: also what
   the receiver looks for at another time. In the last cell it goes on behind the ring. Message i of a sender belongs to its stream i % STREAMS, and a stream is received in the order in which it was sent, whichever way its
   messages came. Each message weighs 1, but for a short one in a ring; LIMIT is the most that may be in flight for a
   pair. A sender has BUFFERS for long messages. The receiver has at most HELD of them in use, and fewer while it
   waits: HELD <= LIMIT, or nothing might be allowed to come. With ANY it receives from whoever has sent; otherwise it
   chooses a sender. With IN_TURN (and one stream) the last sender sends its last message only, when the others have sent
   all, and the receiver wants FIRST messages of the first one, then that one, then the others; with EXPECTED it has
   started all these exchanges before. All of this comes from check.py. The receiver is in
   queue_receiver.pml.

   Memory is sequentially consistent, but for stores to the words that a sleep depends on: a store that is not
   sequentially consistent waits in its rank's store buffer, of one entry, until the rank's next such store, its next
   read-modify-write with release, or any time. So the pairs of stores and loads by which no wake is lost are checked
   with the orders that they have. What acquire and release do beside that (a message is seen whole when its stamp
   is) is argued in the headers, and watched by ThreadSanitizer. Numbers do not wrap around. Sleeps end without a
   reason too, which is not modelled: whoever lies down looks first, and would only look once more. */

#define RECEIVER SENDERS
#define RANKS (SENDERS + 1)
#define NOBODY 255
#define EVERYONE 254
#define NOTHING 255
#define SHORT 254                           /* in place of a buffer: the message needs none */
#define TWO 253                             /* nor does this one, of two cells */
#define IS_LONG(buffer) ((buffer) < TWO)

/* ---- what the ranks share ---- */

#define AT(s, position) ((s) * CELLS + (position) % CELLS)
byte stamp[SENDERS * CELLS];
byte number[SENDERS * CELLS];
byte marks[SENDERS * CELLS];
#define WEIGHING 1                          /* and elsewhere: that is the same here */
#define KEPT 2
#define IS_TWO 4
#define LINE(s, position) ((s) * (CELLS + 1) + (position) % CELLS)
byte payload[SENDERS * (CELLS + 1)];        /* the buffer, or the number once more, in each line of the message */
#define CELLS_OF(is_two, position) ((is_two) && (position) % CELLS != CELLS - 1 -> 2 : 1)
byte taken[SENDERS];

chan mail = [SENDERS * MESSAGES] of { byte, byte, byte };   /* sender, number, buffer; never full */
bool asleep;                                /* the mark of an empty mailbox */
bool changed[RANKS];                        /* signal, since its rank has read it */
bool lying[RANKS];                          /* in the kernel, on its signal */
byte awaits[RANKS] = NOBODY;

byte word[SENDERS];                         /* in flight, beside the ring */
bool marked[SENDERS];                       /* its top bit: the sender sleeps for room */

byte content[SENDERS * BUFFERS];
bool used[SENDERS * BUFFERS];               /* not in its pool */

/* ---- what must be right ---- */

bool reading[SENDERS * BUFFERS];
byte flight[SENDERS];                       /* what weighs, and has neither been used nor been given back */
byte done;                                  /* senders that have sent all */
bool over;                                  /* everything was received */

/* ---- store buffers ---- */

#define SEQ_CST 0
#define RELEASE 1
#define RELAXED 1                           /* the buffer keeps stores in order, so that is no weaker */
#define STAMP 1
#define TAKEN 2
#define AWAITS 3
byte late_what[RANKS], late_where[RANKS], late_value[RANKS];

inline write(what, where, value) {
  if
  :: what == STAMP -> stamp[where] = value
  :: what == TAKEN -> taken[where] = value
  :: what == AWAITS -> awaits[where] = value
  fi
}
inline flush() {
  if
  :: late_what[me] != 0 ->
     write(late_what[me], late_where[me], late_value[me]);
     late_what[me] = 0; late_where[me] = 0; late_value[me] = 0
  :: else
  fi
}
inline store(what, where, value, order) {
  d_step {
    flush();
    if
    :: order == SEQ_CST -> write(what, where, value)
    :: else -> late_what[me] = what; late_where[me] = where; late_value[me] = value
    fi
  }
}
proctype store_buffer(byte me) {
end:
  do
  :: d_step { late_what[me] != 0 -> flush() }
  od
}

/* ---- sleeping ---- */

inline read_signal() { changed[me] = false }
inline wake(rank) {
  d_step { flush(); changed[rank] = true };
  lying[rank] = false
}
inline futex_wait() {
  d_step {
    if
    :: !changed[me] -> lying[me] = true
    :: else
    fi
  };
  !lying[me]
}

/* ---- the pool ---- */

inline give_back_memory(b) {
  assert(used[b] && !reading[b]);
  used[b] = false
}

/* ---- the sender ---- */

inline fly() { flight[me]++; assert(flight[me] <= LIMIT) }
#define FITS(in_flight) ((in_flight) == 0 || (in_flight) + 1 <= LIMIT)

/* As RingSender::look_again(). */
inline look_again() {
  now = taken[me];
  d_step {
    do
    :: seen < now ->
       b = note[seen % CELLS];
       note[seen % CELLS] = SHORT;
       if
       :: b != SHORT ->
          weight--;
          if
          :: !(marks[AT(me, seen)] & KEPT) -> give_back_memory(b)
          :: else
          fi
       :: else
       fi;
       seen++
    :: else -> break
    od;
    now = 0; b = 0
  }
}

/* Memory for a long message, if there is any and the message is to be long. */
inline allocate() {
  if
  :: weight > 0 -> look_again()
  :: skip
  fi;
  atomic {
    buffer = SHORT;
    if
    :: skip
    :: WIDE -> buffer = TWO; like_stamp = 0
    :: WIDE -> buffer = TWO; like_stamp = next + 2
    :: WIDE -> buffer = TWO; like_stamp = next + 2 + CELLS
    :: !used[me * BUFFERS] -> buffer = me * BUFFERS
    :: used[me * BUFFERS] && !used[me * BUFFERS + BUFFERS - 1] -> buffer = me * BUFFERS + BUFFERS - 1
    fi;
    if
    :: IS_LONG(buffer) -> used[buffer] = true; assert(!reading[buffer]); content[buffer] = i
    :: else
    fi
  }
}

inline wake_receiver() {
  d_step { b = awaits[RECEIVER]; must_wake = (b == me || b == EVERYONE); b = 0 };
  if
  :: must_wake -> must_wake = false; wake(RECEIVER)
  :: else
  fi
}

inline publish() {
  d_step {
    number[AT(me, next)] = i;
    if
    :: buffer == SHORT -> payload[LINE(me, next)] = i; marks[AT(me, next)] = 0
    :: buffer == TWO ->
       payload[LINE(me, next)] = i;
       payload[LINE(me, next) + 1] = i;
       marks[AT(me, next)] = IS_TWO;
       if
       :: CELLS_OF(true, next) == 2 ->      /* content, where that cell has a message's head */
          stamp[AT(me, next + 1)] = like_stamp;
          number[AT(me, next + 1)] = i + CELLS;
          marks[AT(me, next + 1)] = WEIGHING
       :: else
       fi
    :: else -> payload[LINE(me, next)] = buffer; marks[AT(me, next)] = WEIGHING
    fi;
    note[next % CELLS] = (IS_LONG(buffer) -> buffer : SHORT);
    if
    :: IS_LONG(buffer) -> weight++; fly()
    :: else
    fi
  };
  store(STAMP, AT(me, next), next + 1, SEQ_CST);
  next = next + CELLS_OF(buffer == TWO, next);
  wake_receiver()
}

#define HAS_ROOM (next + CELLS_OF(buffer == TWO, next) - seen <= CELLS)
#define IS_MISTAKABLE (buffer == TWO && like_stamp == next + 1 + CELLS + 1)
/* As send_by_ring(): `room` is whether it has. */
inline send_by_ring() {
  room = true;
  if
  :: IS_LONG(buffer) && !FITS(word[me] + weight) ->
     look_again();
     room = FITS(word[me] + weight)
  :: else
  fi;
  if
  :: room && !HAS_ROOM -> look_again(); room = HAS_ROOM
  :: else
  fi;
  if
  :: room && !IS_MISTAKABLE -> publish()
  :: else -> room = false
  fi
}

/* As break_cycle(), for who waits for room: the receiver, if it waits for this sender, breaks the cycle. */
inline have_cycle_broken() {
  d_step {
    must_wake = !changed[me] && (awaits[RECEIVER] == me || awaits[RECEIVER] == EVERYONE) && !changed[RECEIVER]
  };
  if
  :: must_wake -> must_wake = false; wake(RECEIVER)
  :: else
  fi
}

/* As count_in_flight(). */
inline count_in_flight() {
  told = false;
  do
  :: true ->
     look_again();
     if
     :: FITS(word[me] + weight) -> d_step { word[me]++; fly() }; break
     :: else
     fi;
     read_signal();
     store(AWAITS, me, RECEIVER, SEQ_CST);
     look_again();
     d_step { flush(); room = FITS(word[me] + weight); marked[me] = true };
     if
     :: room -> marked[me] = false
     :: else ->
        if
        :: !told -> told = true; wake(RECEIVER)
        :: else
        fi;
        have_cycle_broken();
        futex_wait()
     fi;
     store(AWAITS, me, NOBODY, RELAXED)
  od
}

/* As Mailbox::push(). */
inline push() {
  d_step { flush(); must_wake = asleep; asleep = false; mail ! me, i, buffer };
  if
  :: must_wake -> must_wake = false; wake(RECEIVER)
  :: else
  fi
}

proctype sender(byte me) {
  byte i, next, seen, weight, buffer, like_stamp, now, b, note[CELLS] = SHORT;
  bool room, must_wake, told;
  if
  :: IN_TURN && me == SENDERS - 1 -> done == me; i = MESSAGES - 1
  :: else
  fi;
  do
  :: i < MESSAGES ->
     allocate();
     send_by_ring();
     if
     :: !room -> buffer = (IS_LONG(buffer) -> buffer : SHORT); count_in_flight(); push()
     :: else
     fi;
     d_step { i++; room = false; told = false; buffer = 0; like_stamp = 0 }
  :: else -> break
  od;
  done++;
  over && late_what[RECEIVER] == 0;
  look_again();
  d_step {
    assert(weight == 0 && word[me] == 0 && flight[me] == 0 && seen == next);
    i = 0;
    do
    :: i < BUFFERS -> assert(!used[me * BUFFERS + i]); i++
    :: else -> break
    od
  }
}
