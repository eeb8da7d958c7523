// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.time.Duration;

/**
 * A number of places, and turns for those who find none: when to come again, one after the other,
 * as fast as places are expected to come free. That is told from how long the last stays took, and
 * from how long nobody came or went. Times are those of one clock that never goes back. Not safe to
 * share.
 *
 * <p>A turn is no promise. Who comes and finds no place is given another one; so a guess that was
 * too hopeful costs a turn more, and lets no place stand empty.
 */
final class Turns {

  /** No turn is sooner: for every call there would be many who come in vain. */
  static final Duration SOONEST = Duration.ofSeconds(1);

  /** No turn is later, so that all are back soon after their callee is. */
  static final Duration LATEST = Duration.ofMinutes(5);

  private static final Duration FIRST_GUESS = Duration.ofMillis(100);
  private static final Duration LONGEST_STAY = Duration.ofMinutes(1);
  private static final Duration SHORTEST_STEP = Duration.ofMillis(1);

  private final int places;
  private int taken;
  private Duration usualStay = FIRST_GUESS;
  private Duration lastMove = Duration.ZERO;
  private Duration next = Duration.ZERO;

  Turns(int places) {
    this.places = places;
  }

  boolean isFull() {
    return taken >= places;
  }

  boolean isEmpty() {
    return taken == 0;
  }

  /** True when nobody is there and everybody's turn has come. */
  boolean isOver(Duration now) {
    return isEmpty() && next.compareTo(now) <= 0;
  }

  void enter(Duration now) {
    taken++;
    lastMove = now;
  }

  /** Whoever leaves has been there since then. */
  void leave(Duration since, Duration now) {
    taken--;
    lastMove = now;
    usualStay = usualStay.multipliedBy(3).plus(now.minus(since)).dividedBy(4);
  }

  /** How long to stay away, for one who found no place. */
  Duration next(Duration now) {
    Duration turn = later(next, now.plus(SOONEST));
    if (turn.compareTo(now.plus(LATEST)) > 0) {
      // More than have a turn of their own: they share some, and are spread all the same.
      turn = now.plus(LATEST.dividedBy(2));
    }
    next = turn.plus(step(now));
    return turn.minus(now);
  }

  private Duration step(Duration now) {
    Duration stay = later(usualStay, now.minus(lastMove));
    Duration bounded = stay.compareTo(LONGEST_STAY) < 0 ? stay : LONGEST_STAY;
    return later(bounded.dividedBy(places), SHORTEST_STEP);
  }

  private static Duration later(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
