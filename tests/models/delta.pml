// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How a message that is computed meanwhile travels in increments (docs/delta.md), checked for all
   interleavings of short programs: the sender (DeltaSend in runtime/src/c_api/delta.cpp, DeltaMessage in
   ownership/increment_sending.cpp) and its pace (ownership/pace.hpp); the receiver (Increments in
   ownership/increments.cpp, Incoming in ownership/passing.cpp); who gets what (match/matcher.cpp); and how
   ranks wait (wait_for_streams(), wait_until_fits() and break_cycle() in transport/).

   Message m has PARTS parts, which its sender computes and names one by one. The rest is said by check.py:
     chain      Rank m sends message m to rank m + 1. A rank between them needs a part of what it gets for the
                same part of what it sends (Bao et al., section II.C: cascading). Everything happens in any
                order: a receive may be posted at any time, with EARLY at first, and its rank waits for parts,
                for the whole message, or probes.
     RING       The last rank sends to rank 0, which needs a part for the part after it. All ranks name their
                parts, and wait for them, in one order, which the model chooses. With EXCHANGE each rank is as
                rank 0. With LATE no rank needs anything, and it posts its receive when its send has ended (1:
                as in DeltaBlock::reach()) or is complete (2).
     TWO        Rank 0 sends two messages to rank 1, with SAME of one tag. With OTHER it begins the second
                when the first is complete, and rank 1 receives the second first.
     SKIPS      A sender may leave parts out, or name none.
     OFFERS     A range may be long: then it is not copied, but offered (ownership/rendezvous.cpp).
     SHARES     The ranks share memory, in which the receiver counts (Taken). Without, only the time says when
                to send, as for receivers on other hosts, and with KANOR_DELTA the bytes.
     ALWAYS     It is always time to send. Otherwise it may be, or not: nothing may depend on that.
     ASCENDING  The parts are named, and waited for, in their order.
   LIMIT is what may be in flight to a rank (KANOR_INFLIGHT), in parts; heads and empty increments are short,
   and weigh nothing. A delta send goes beyond it, and waits for room in Delta_wait (Request::crowded).

   The transport is that of queue.pml in larger steps: a stream is a channel, and who puts something there
   wakes, in the same step, the rank that sleeps for it. Memory is sequentially consistent: Taken is relaxed,
   and guards nothing. A step of a rank here is what it does until something that others see. No run is
   infinite, which is checked, too; so every wait ends, as there is no invalid end state. */

#define NOBODY 255
#define NOTHING 255
#define ALL ((1 << PARTS) - 1)
#define BIT(part) (1 << (part))
#define WEIGHT(parts) (((parts) & 1) + ((parts) >> 1 & 1) + ((parts) >> 2 & 1))

/* Which ranks a message has, and which messages a rank; with TWO those two have one stream. */
#define FROM(m) (TWO -> 0 : (m))
#define TO(m) (TWO -> 1 : ((m) + 1) % RANKS)
#define LINE(m) (TWO -> 0 : (m))
#define OUT (TWO -> 0 : me)
#define IN (TWO -> 0 : (me + RANKS - 1) % RANKS)
#define OTHER_ONE (TWO -> 1 : (me + RANKS - 1) % RANKS)
#define SENDS (TWO -> me == 0 : RING || me < RANKS - 1)
#define RECEIVES (TWO -> me == 1 : RING || me > 0)

/* The channel of the heads, and increment_channel with the tag that new_tags() has found. */
#define HEAD_KEY(m) (SAME -> 0 : (m))
#define INCREMENT_KEY(m) (16 + (m))

/* What a message in a stream is. */
#define HEAD 1                              /* DeltaHead */
#define COPY 2                              /* IncrementHead, and the bytes */
#define LONG 3                              /* IncrementHead: the bytes are offered, by the next message */
#define OFFER 4                             /* Rendezvous */

#define MOST (2 * (2 + 2 * PARTS))
/* Of each message: its key, what it is, m, its parts, those with their values, is_last. */
chan stream[RANKS] = [MOST] of { byte, byte, byte, byte, byte, bool };

/* ---- what the ranks share besides: room, sleep, and Taken ---- */

byte flight[RANKS], lent[RANKS];            /* by line; lent: given back although it was not taken */
byte awaits[RANKS] = NOBODY;
bool for_room[RANKS], woken[RANKS];
byte taken[RANKS], references[RANKS];       /* Taken::increments, and its region's references */

/* Rendezvous, by the message and the first part. */
#define NONE 0
#define OFFERED 1
#define TAKEN 2
#define COPIED 3
#define OVER 4
#define AT(m, part) ((m) * PARTS + (part))
byte state[RANKS * PARTS], offered[RANKS * PARTS], copied[RANKS * PARTS];

/* What a rank waits for. */
#define SOME 1                              /* of the parts of a receive: Delta_wait_data */
#define WHOLE 2                             /* Completion::await() of a receive */
#define PROBE 3                             /* Matcher::wait_for_kept(): the head */
#define ROOM 4                              /* wait_for_room(rank, to) */
#define IS_OVER 5                           /* an offer */
#define ROOM_OR_OVER 6                      /* wait_for_room() with `done` */
#define POSTED 7                            /* nothing: Matcher::post() */

/* ---- a sender's own, by message ---- */

#define UNBEGUN 0
#define OPEN 1
#define ENDED 2
#define CONCLUDED 3
byte phase[RANKS];
byte final[RANKS];                          /* the parts of its buffer that have their values */
byte named[RANKS], waiting[RANKS];
byte sent[RANKS];                           /* DeltaMessage::sent_ */
bool has_fitted[RANKS], crowded[RANKS];

/* ---- a receiver's own, by the message that the receive is for ---- */

bool is_posted[RANKS], goes_on[RANKS], done[RANKS], concluded[RANKS];
byte wants[RANKS];
byte got[RANKS] = NOTHING;                  /* the message that it has got, whose Taken it has */
byte here[RANKS], right[RANKS];             /* Increments::here_, and those with their values */
byte head[RANKS], head_is_last[RANKS];      /* Increments::head_ */
bool awaits_offer[RANKS];
byte used[RANKS];                           /* parts for which Delta_wait_data has returned */
chan kept[RANKS] = [MOST] of { byte, byte, byte, byte, byte, bool };
byte heads_kept[RANKS];

/* ---- what must be right ---- */

byte sent_parts[RANKS];
bool all_sent[RANKS];                       /* the last increment was sent */
bool was_beyond[RANKS];                     /* something was sent for which there was no room */
byte order[PARTS];                          /* of naming and waiting in a ring */

/* ---- the transport ---- */

#define FITS(line, weight) (flight[line] == 0 || flight[line] + (weight) <= LIMIT)
inline wake_if_awaiting(rank) {
  if
  :: awaits[rank] == me -> woken[rank] = true
  :: else
  fi
}

/* As stream_at_once_to(), which never waits. */
inline put_in_stream(m, what, parts, is_last, weight) {
  assert(len(stream[LINE(m)]) < MOST);
  if
  :: (weight) > 0 ->
     has_fitted[m] = has_fitted[m] && FITS(LINE(m), weight);
     was_beyond[m] = was_beyond[m] || !FITS(LINE(m), weight);
     flight[LINE(m)] = flight[LINE(m)] + (weight)
  :: else
  fi;
  stream[LINE(m)] ! (what == HEAD -> HEAD_KEY(m) : INCREMENT_KEY(m)), what, m, parts, final[m] & (parts),
                    is_last;
  wake_if_awaiting(TO(m))
}

/* As give_credit(), after take_lent(). */
inline give_back(line) {
  n = (lent[line] < weight -> lent[line] : weight);
  lent[line] = lent[line] - n;
  assert(flight[line] >= weight - n);
  flight[line] = flight[line] - (weight - n);
  if
  :: weight > n && for_room[FROM(line)] -> wake_if_awaiting(FROM(line))
  :: else
  fi;
  n = 0; weight = 0
}

/* As break_cycle(), in one step: if from this rank on all that are waited for sleep, those lend for whose
   room one of them waits. */
#define SLEEPS(rank) (awaits[rank] != NOBODY && !woken[rank])
inline lend(line) {
  lent[line] = lent[line] + flight[line];
  flight[line] = 0;
  woken[FROM(line)] = true
}
inline break_cycle() {
  d_step {
    n = me; k = 0;
    do
    :: k < RANKS && SLEEPS(awaits[n]) -> n = awaits[n]; k++
    :: else -> break
    od;
    if
    :: k == RANKS ->
       n = me; k = 0;
       do
       :: k < RANKS ->
          if
          :: for_room[n] && awaits[n] == me -> lend(IN)
          :: for_room[n] && awaits[n] != me -> woken[awaits[n]] = true
          :: else
          fi;
          n = awaits[n]; k++
       :: else -> break
       od
    :: else
    fi;
    n = 0; k = 0
  }
}

/* ---- Taken ---- */

inline refer(m) {
  if
  :: SHARES -> references[m]++
  :: else
  fi
}
inline let_go(m) {
  if
  :: SHARES -> assert(references[m] > 0); references[m]--
  :: else
  fi
}

/* ---- the sender ---- */

/* The one of the ranges, among some parts, that has a part. */
inline range_with(parts, part) {
  k = part;
  do
  :: k > 0 && (parts) & BIT(k - 1) -> k--
  :: else -> break
  od;
  first = k; range = 0;
  do
  :: k < PARTS && (parts) & BIT(k) -> range = range | BIT(k); k++
  :: else -> break
  od;
  k = 0
}
/* The first one; none if there are no parts. */
inline first_range(parts) {
  k = 0;
  do
  :: k < PARTS && !((parts) & BIT(k)) -> k++
  :: else -> break
  od;
  range_with(parts, k)
}

/* As DeltaMessage::send() and DeltaSend::send(), of the first range `to_send`. */
inline send(m) {
  atomic {
    first_range(to_send);
    to_send = to_send & ~range;
    sends_last = (ends && to_send == 0);
    sent[m]++;
    assert(phase[m] == OPEN && !all_sent[m] && !(sent_parts[m] & range));     /* each byte is sent once */
    sent_parts[m] = sent_parts[m] | range;
    all_sent[m] = sends_last;
    if
    :: put_in_stream(m, COPY, range, sends_last, WEIGHT(range))
    :: OFFERS && range != 0 -> put_in_stream(m, LONG, range, sends_last, 0); is_long = true
    fi;
    if
    :: !has_fitted[m] -> crowded[m] = true
    :: else
    fi;
    if
    :: !is_long -> end_sending(m)
    :: else
    fi
  };
  if
  :: is_long ->
     d_step {
       assert(state[AT(m, first)] == NONE);
       state[AT(m, first)] = OFFERED;
       offered[AT(m, first)] = range;
       put_in_stream(m, OFFER, range, sends_last, 0);
       is_long = false;
       end_sending(m)
     }
  :: else
  fi
}
inline end_sending(m) {
  if
  :: ends && to_send == 0 -> phase[m] = ENDED; ends = false
  :: else
  fi;
  range = 0; first = 0; sends_last = false;
  if
  :: to_send == 0 -> sending = NOTHING
  :: else
  fi
}

/* As DeltaMessage's constructor. */
inline begin(m) {
  phase[m] = OPEN;
  has_fitted[m] = true;
  assert(references[m] == 0);
  refer(m); refer(m);                       /* make_region(), share() */
  put_in_stream(m, HEAD, 0, false, 0)
}

/* As DeltaSend::name(), after the program has computed the part. */
#define IS_BEHIND(m) (SHARES && taken[m] < sent[m])
inline name(m, part) {
  final[m] = final[m] | BIT(part);
  named[m] = named[m] | BIT(part);
  waiting[m] = waiting[m] | BIT(part);
  assert(!SHARES || references[m] > 0);
  if
  :: !ALWAYS || IS_BEHIND(m) -> skip
  :: !IS_BEHIND(m) ->
     range_with(waiting[m], part);
     to_send = range; waiting[m] = waiting[m] & ~to_send; sending = m
  fi;
  range = 0; first = 0
}

/* As DeltaSend::flush(). */
#define HAS_WAITING(m) (SENDS && phase[m] == OPEN && waiting[m] != 0)
inline flush(m) { to_send = waiting[m]; waiting[m] = 0; sending = m }

/* As DeltaSend::end(). A program that names nothing has computed all by then. */
inline end(m) {
  if
  :: named[m] == 0 -> final[m] = ALL; waiting[m] = ALL
  :: else
  fi;
  to_send = waiting[m]; waiting[m] = 0; sending = m; ends = true
}

/* A step of Completion::wait() of an ended send, which says what to wait for next. The first offer that is
   not over is copied if there is room, as Offer::wait() does after its patience. When all are over, the rank
   waits for room if it was crowded; then the send is complete, and the program may overwrite its buffer. */
inline conclude(m) {
  atomic {
    k = AT(m, 0);
    do
    :: k < AT(m, PARTS) && state[k] != OFFERED && state[k] != TAKEN -> k++
    :: else -> break
    od;
    if
    :: k == AT(m, PARTS) && crowded[m] -> crowded[m] = false; for_what = ROOM
    :: k == AT(m, PARTS) && !crowded[m] ->
       assert(TWO || !was_beyond[m] || flight[LINE(m)] <= LIMIT);
       final[m] = 0;
       phase[m] = CONCLUDED;
       let_go(m);                           /* ~DeltaMessage() */
       ending = NOTHING
    :: k < AT(m, PARTS) && state[k] == OFFERED && FITS(LINE(m), WEIGHT(offered[k])) ->
       flight[LINE(m)] = flight[LINE(m)] + WEIGHT(offered[k]);                /* as copy_content() */
       copied[k] = final[m] & offered[k];
       weight = WEIGHT(offered[k])
    :: k < AT(m, PARTS) && state[k] == OFFERED && !FITS(LINE(m), WEIGHT(offered[k])) ->
       for_what = ROOM_OR_OVER; which = k
    :: k < AT(m, PARTS) && state[k] != OFFERED -> for_what = IS_OVER; which = k
    fi
  };
  if
  :: weight > 0 ->
     d_step {
       if
       :: state[k] == OFFERED -> state[k] = COPIED
       :: else -> flight[LINE(m)] = flight[LINE(m)] - weight; copied[k] = 0
       fi;
       k = 0; weight = 0
     }
  :: else -> k = 0
  fi
}

/* ---- the receiver ---- */

/* As the end of Increments::take(): put(), and what follows. */
inline put(q) {
  awaits_offer[q] = false;
  assert(whose == got[q] && !(here[q] & head[q]));                            /* each byte is put once */
  right[q] = right[q] | (values & head[q]);
  here[q] = here[q] | head[q];
  taken[got[q]]++;
  assert(!SHARES || references[got[q]] > 0);
  assert(taken[got[q]] <= sent[got[q]]);
  if
  :: head_is_last[q] -> goes_on[q] = false  /* Receive::stop() */
  :: else
  fi;
  head[q] = 0; head_is_last[q] = false
}

/* As Increments::take(), until it accept()s what is offered. */
inline take(q) {
  if
  :: !awaits_offer[q] ->
     assert(what == COPY || what == LONG);
     head[q] = parts; head_is_last[q] = is_last;
     awaits_offer[q] = (what == LONG);
     if
     :: what == COPY -> weight = WEIGHT(parts); put(q)
     :: else
     fi
  :: else ->
     assert(what == OFFER);
     k = AT(whose, 0);
     do
     :: offered[k] != parts -> k++
     :: else -> break
     od;
     reads = true;
     if
     :: state[k] == OFFERED -> state[k] = TAKEN
     :: else -> assert(state[k] == COPIED)
     fi
  fi
}

/* As Matcher::finish() and Incoming::complete(): the head, and then what go_on_with() has named. */
inline complete(q) {
  if
  :: !goes_on[q] ->
     assert(what == HEAD && whose == q);    /* those of one tag in the order in which they were begun */
     got[q] = whose; goes_on[q] = true;
     wants[q] = INCREMENT_KEY(whose)
  :: else -> take(q)
  fi
}
inline finish(q) {
  done[q] = !goes_on[q];
  assert(!done[q] || (all_sent[got[q]] && taken[got[q]] == sent[got[q]] && here[q] == sent_parts[got[q]]));
  to_post = (done[q] -> NOTHING : q)
}

/* As a step of Matcher::post() of a receive, if one is `to_post`, or else of progress_from(). */
#define WANTED_BY(q) (is_posted[q] && wants[q] == key)
#define MATCHED (WANTED_BY(IN) -> IN : (TWO && WANTED_BY(1) -> 1 : NOTHING))
inline match() {
  if
  :: to_post != NOTHING ->
     key = wants[to_post]; at = to_post; to_post = NOTHING;
     if
     :: kept[IN] ?? [eval(key), what, whose, parts, values, is_last] ->
        kept[IN] ?? eval(key), what, whose, parts, values, is_last;
        heads_kept[IN] = heads_kept[IN] - (what == HEAD -> 1 : 0)
     :: else -> is_posted[at] = true; at = NOTHING
     fi
  :: else ->
     stream[IN] ? key, what, whose, parts, values, is_last;
     at = MATCHED;
     if
     :: at != NOTHING -> is_posted[at] = false
     :: else ->
        kept[IN] ! key, what, whose, parts, values, is_last;
        heads_kept[IN] = heads_kept[IN] + (what == HEAD -> 1 : 0)
     fi
  fi;
  if
  :: at != NOTHING -> complete(at)
  :: else
  fi;
  if
  :: at != NOTHING && weight == 0 && !reads -> finish(at); forget()
  :: at == NOTHING -> forget()
  :: else
  fi
}
inline forget() { at = NOTHING; key = 0; what = 0; whose = 0; parts = 0; values = 0; is_last = false }

/* ---- waiting ---- */

#define FOR_ROOM (for_what == ROOM || for_what == ROOM_OR_OVER)
#define FOR_DATA (for_what <= PROBE)
#define HAS_COME(q, part) (done[q] || goes_on[q] && here[q] & BIT(part))
#define IS_ENOUGH (for_what == SOME && HAS_COME(which, part) || for_what == WHOLE && done[which] || \
                   for_what == PROBE && heads_kept[IN] > 0 || for_what == POSTED || \
                   for_what == ROOM && FITS(LINE(ending), 0) || \
                   for_what == ROOM_OR_OVER && FITS(LINE(ending), WEIGHT(offered[which])) || \
                   (for_what == IS_OVER || for_what == ROOM_OR_OVER) && state[which] == OVER)

/* wait_for_streams() and wait_until_fits() look, call the hook of set_while_waiting() (flush(), and
   Matcher::progress_others()), note what they wait for, look again, and sleep. */
#define LOOK 0
#define HOOK 1
#define LIE 2
#define SLEEP 3
#define SOME_POSTED (is_posted[IN] || TWO && is_posted[1])
#define LOOKS (FOR_DATA && stage != HOOK && (for_what == PROBE || !done[which]))
#define MINDS_OTHERS (!FOR_DATA && stage == HOOK && RECEIVES && SOME_POSTED)
#define CAN_MATCH (to_post != NOTHING || (LOOKS || MINDS_OTHERS) && len(stream[IN]) > 0)
inline get_up() { stage = LOOK; awaits[me] = NOBODY; for_room[me] = false; woken[me] = false }
inline wait() {
  atomic {
    if
    :: CAN_MATCH -> match()
    :: else ->
       if
       :: stage == HOOK && HAS_WAITING(OUT) -> flush(OUT)
       :: stage == HOOK && TWO && HAS_WAITING(1) -> flush(1)
       :: stage == SLEEP ->
          if
          :: FOR_ROOM && !told -> told = true; woken[TO(ending)] = true
          :: else
          fi;
          break_cycle();
          woken[me];
          get_up()
       :: else ->
          if
          :: IS_ENOUGH -> get_up(); told = false; use(); op = 0; which = 0; part = 0; for_what = 0
          :: else ->
             stage++;
             if
             :: stage == HOOK && !HAS_WAITING(OUT) && !(TWO && HAS_WAITING(1)) && !MINDS_OTHERS -> stage++
             :: else
             fi;
             if
             :: stage == LIE -> awaits[me] = (FOR_DATA -> FROM(IN) : TO(ending)); for_room[me] = FOR_ROOM
             :: else
             fi
          fi
       fi
    fi
  };
  if
  :: reads ->                               /* accept() */
     if
     :: state[k] == TAKEN ->
        values = final[whose] & parts;
        d_step { state[k] = OVER; wake_if_awaiting(FROM(whose)) }
     :: state[k] == COPIED -> d_step { values = copied[k]; copied[k] = 0; weight = WEIGHT(parts) }
     fi;
     atomic { put(at); reads = false; k = 0 }
  :: else
  fi;
  if
  :: at != NOTHING -> d_step { finish(at); give_back(LINE(whose)); forget() }
  :: else
  fi
}

/* ---- the programs ---- */

#define MINE(m) (FROM(m) == me && SENDS)
#define FOR_ME(q) (TO(q) == me && RECEIVES)
#define HAS_BEGUN (!SENDS || phase[OUT] != UNBEGUN && (!TWO || OTHER || phase[1] != UNBEGUN))
#define CAN_BEGIN(m) (MINE(m) && phase[m] == UNBEGUN && \
                      (!TWO || m == 0 || phase[0] == CONCLUDED || !OTHER && phase[0] != UNBEGUN))
#define CAN_POST(q) (HAS_BEGUN && FOR_ME(q) && !was_posted[q] && (!SAME || q == 0 || was_posted[0]) && \
                     (!OTHER || q == 1 || concluded[1]) && (!LATE || phase[OUT] > LATE))
/* In a ring: the part without which the next one cannot be named. */
#define NEEDED (LATE -> 0 : ((me == 0 || EXCHANGE) -> (names == 0 -> 0 : BIT(order[names - 1])) : \
                             BIT(order[names])))
#define IS_STUCK (names < PARTS && NEEDED & ~used[IN])
#define IS_NEXT(parts, part) (!ASCENDING || part == 0 || parts & BIT(part - 1))
#define HAS_INPUT(part) (RING -> order[names] == part && !IS_STUCK : !RECEIVES || used[IN] & BIT(part))
#define IS_READY (HAS_BEGUN && (!RING && !EARLY || LATE || !RECEIVES || was_posted[IN]))
#define CAN_NAME(m, part) (IS_READY && MINE(m) && phase[m] == OPEN && !(named[m] & BIT(part)) && \
                           IS_NEXT(named[m], part) && HAS_INPUT(part))
#define CAN_WAIT(q, part) (!LATE && IS_READY && FOR_ME(q) && was_posted[q] && !concluded[q] && \
                           !(used[q] & BIT(part)) && IS_NEXT(used[q], part) && \
                           (!RING || order[uses] == part && (names == PARTS || IS_STUCK)))
#define CAN_FINISH(q) (IS_READY && FOR_ME(q) && was_posted[q] && !concluded[q] && \
                       (!RING || phase[OUT] >= ENDED))
#define HAS_NAMED(m) (named[m] == ALL || SKIPS && (named[m] != 0 || !RECEIVES || used[IN] == ALL))
#define CAN_END(m) (MINE(m) && phase[m] == OPEN && HAS_NAMED(m))
#define CAN_CLOSE(m) (MINE(m) && phase[m] == ENDED)
#define IS_AT_END(m) ((!MINE(m) || phase[m] == CONCLUDED) && (!FOR_ME(m) || concluded[m]))

#define BEGIN 1
#define NAME 2
#define END 3
#define CHOOSE(m) \
  :: CAN_BEGIN(m) -> op = BEGIN; which = m \
  :: CAN_POST(m) -> for_what = POSTED; to_post = m; wants[m] = HEAD_KEY(m); was_posted[m] = true \
  :: CAN_POST(m) && !TWO && (!RING || LATE) && !EARLY && heads_kept[IN] == 0 -> for_what = PROBE; which = m \
  :: CAN_FINISH(m) -> for_what = WHOLE; which = m \
  :: CAN_END(m) -> op = END; which = m \
  :: CAN_CLOSE(m) -> ending = m
#define CHOOSE_PART(m, p) \
  :: p < PARTS && CAN_NAME(m, p) -> op = NAME; which = m; part = p \
  :: p < PARTS && CAN_WAIT(m, p) -> for_what = SOME; which = m; part = p

/* What Delta_wait_data promises, and Delta_wait of a receive. */
inline use() {
  if
  :: for_what == SOME && here[which] & BIT(part) ->
     assert(right[which] & BIT(part));
     used[which] = used[which] | BIT(part); uses++
  :: for_what == SOME && !(here[which] & BIT(part)) ->
     assert(done[which] && !(sent_parts[which] & BIT(part)));
     used[which] = used[which] | BIT(part); uses++
  :: for_what == WHOLE ->
     assert(right[which] == sent_parts[which]);
     used[which] = ALL; uses = PARTS; concluded[which] = true;
     let_go(got[which])                     /* ~Increments() */
  :: else
  fi
}

proctype rank(byte me) {
  byte op, which, part, for_what, ending = NOTHING, names, uses, stage;
  byte key, what, whose, parts, values, weight, at = NOTHING, to_post = NOTHING;
  byte sending = NOTHING, to_send, range, first, n, k;
  bool is_last, is_long, ends, sends_last, reads, told, was_posted[RANKS];
  do
  :: sending != NOTHING -> send(sending)
  :: sending == NOTHING && for_what != 0 -> wait()
  :: sending == NOTHING && for_what == 0 && ending != NOTHING -> conclude(ending)
  :: sending == NOTHING && for_what == 0 && ending == NOTHING ->
     atomic {
       if
       CHOOSE(OUT)
       CHOOSE(OTHER_ONE)
       CHOOSE_PART(OUT, 0)
       CHOOSE_PART(OUT, 1)
       CHOOSE_PART(OUT, 2)
       CHOOSE_PART(OTHER_ONE, 0)
       CHOOSE_PART(OTHER_ONE, 1)
       CHOOSE_PART(OTHER_ONE, 2)
       :: IS_AT_END(OUT) && IS_AT_END(OTHER_ONE) -> break
       fi;
       if
       :: op == BEGIN -> begin(which); which = 0
       :: op == NAME -> names++; name(which, part); which = 0; part = 0
       :: op == END -> end(which); which = 0
       :: else
       fi;
       op = 0
     }
  od
}

/* The ranks, and when all of them have ended: nothing is on the way, and no Taken is left. */
init {
  byte i, j, left;
  atomic {
    left = ALL;
    do
    :: RING && i < PARTS ->
       if
       :: left & 1 -> j = 0
       :: !ASCENDING && left & 2 -> j = 1
       :: !ASCENDING && left & 4 -> j = 2
       :: ASCENDING && !(left & 1) -> j = i
       fi;
       order[i] = j; left = left & ~BIT(j); i++
    :: else -> break
    od;
    i = 0; j = 0; left = 0;
    do
    :: i < RANKS -> run rank(i); i++
    :: else -> break
    od
  }
  _nr_pr == 1;
  d_step {
    i = 0;
    do
    :: i < RANKS ->
       assert(references[i] == 0 && flight[i] == 0 && lent[i] == 0 && taken[i] == sent[i]);
       assert(len(stream[i]) == 0 && len(kept[i]) == 0 && !(named[i] & ~sent_parts[i]));
       i++
    :: else -> break
    od
  }
}
