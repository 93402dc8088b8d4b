// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Deltas that follow page faults: two threads of a rank use the pages of receives, checked for all interleavings
   (runtime/src/platform/page_faults.cpp, c_api/paged_deltas.cpp).

   The rank's own thread begins DELTAS receives of one page each, uses their pages in any order or not at all, and
   completes all; and that ROUNDS times, each time with a new slot of the table or an old one. The other thread uses
   pages whenever it likes: before, within and after the rounds. A message comes at any time after its receive
   has begun. DELTAS and ROUNDS come from check.py. One thread completes: that others may begin or complete deltas while
   it waits is not modelled. Memory is sequentially consistent: the orders of the atomic variables are argued
   beside them, and watched by ThreadSanitizer. */

#define OWN 0
#define OTHER 1
#define NOBODY 2

/* ---- what the processor knows ---- */

bool closed_off[DELTAS];                    /* who uses the page faults */
bool filled[DELTAS];                        /* its content is this round's */

/* ---- the table of watched pages ---- */

bool watched[DELTAS];
byte openings;                              /* modulo 256: no run has as many */
byte seen[2];                               /* by thread */

/* ---- the rank's deltas ---- */

bool closed[DELTAS];                        /* as the rank remembers */
bool known[DELTAS];                         /* in the rank's list */
bool came[DELTAS];
byte turn = NOBODY;                         /* the thread that runs in the runtime */
byte touching;                              /* threads in touched() */
bool in_round[DELTAS];                      /* begun, and not completed: the page may be closed */
bool over;

inline enter(me) { atomic { turn == NOBODY -> turn = me } }
inline leave() { turn = NOBODY }
/* Lets others run while this thread waits. */
inline pass(me) {
  leave();
  enter(me)
}

inline open(me, d) {
  filled[d] = true;
  closed_off[d] = false;
  closed[d] = false;
  openings++
}

inline await(me, d) {
  do
  :: came[d] -> break
  :: else -> pass(me)
  od
}

/* touched(): sets `opened`. */
inline touched(me, d) {
  touching++;
  enter(me);
  opened = false;
  if
  :: known[d] && closed[d] ->
     await(me, d);
     if
     :: closed[d] -> open(me, d)
     :: else
     fi;
     opened = true
  :: else
  fi;
  leave();
  touching--
}

/* Uses a page; the handler runs each time that this faults. */
inline use(me, d) {
  do
  :: closed_off[d] ->
     opened = false;
     if
     :: watched[d] -> touched(me, d)
     :: else
     fi;
     if
     :: opened
     :: else ->
        now = openings;
        assert(now != seen[me]);            /* or the program would end with a segmentation fault */
        seen[me] = now
     fi
  :: atomic { !closed_off[d] -> assert(!in_round[d] || filled[d]) };
     break
  od
}

/* A message of each receive comes sometime. */
active proctype sender() {
  byte d;
  do
  :: over -> break
  :: atomic { in_round[0] && !came[0] -> came[0] = true }
  :: atomic { in_round[DELTAS - 1] && !came[DELTAS - 1] -> came[DELTAS - 1] = true }
  od
}

active proctype own() {
  byte d, round, now;
  bool opened;
  for (round : 1 .. ROUNDS) {
    for (d : 0 .. DELTAS - 1) {
      enter(OWN);
      came[d] = false;
      closed[d] = true;
      known[d] = true;
      watched[d] = true;
      d_step {                              /* before, the page has what it had */
        filled[d] = false;
        in_round[d] = true;
        closed_off[d] = true
      };
      leave()
    };
    for (d : 0 .. DELTAS - 1) {
      if
      :: true -> use(OWN, d)
      :: true
      fi
    };
    /* complete() */
    enter(OWN);
    for (d : 0 .. DELTAS - 1) {
      await(OWN, d);
      if
      :: closed[d] -> open(OWN, d)
      :: else
      fi
    };
    do
    :: touching > 0 -> pass(OWN)
    :: else -> break
    od;
    for (d : 0 .. DELTAS - 1) {
      known[d] = false;
      watched[d] = false;
      openings++;
      in_round[d] = false
    };
    leave()
  };
  over = true
}

active proctype other() {
  byte now;
  bool opened;
  do
  :: over -> break
  :: true -> use(OTHER, 0)
  :: true -> use(OTHER, DELTAS - 1)
  od
}
