// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

/** What must be true after every step. */
enum Invariant {
  NEVER_MISSING("an acknowledged task is in the database"),
  NOT_DONE_MEANS_NOT_DONE("what was answered with UNAVAILABLE was not done"),
  NO_OVERLAP("two executions of a task overlap only when a node froze or a handler was stubborn"),
  NO_STALE_START("no execution starts whose lease ended more than 15 s ago, unless its node froze"),
  FINAL("an ended task changes only by revive"),
  NEVER_EARLY("no attempt starts before its instant"),
  NOTHING_HELD_IS_CLAIMED("a paused, parked or running task is not claimed"),
  NUMBERED("attempts are numbered without gap"),
  RETRIES_WITHIN_POLICY("retries are at most what the policy allows, between revives"),
  ONE_OUTCOME("every lease that ended has exactly one record, written with its end"),
  TRUE_RECORD("a record says what the execution of its epoch said"),
  ACCOUNTED_FOR("every execution has a record"),
  FENCED("a write of an older epoch, attempt or state changes nothing"),
  DURABLE_ANSWER("what the store answered is in the database"),
  NOTHING_UNASKED("no row changes unless somebody wrote it"),
  LAPSED_FOR_EVER("a node row that ran out is never alive again"),
  LOSS_HAS_A_CAUSE("a task is lost only when its node could neither renew its row nor hand back"),
  TIMEOUT_HAS_A_CAUSE("an attempt times out only when its handler ran and was silent for so long"),
  TOLD_THE_TRUTH("an end is told once, and only after it happened"),
  ONE_DELIVERY("the outbox has one delivery for each end of a task, and none for anything else"),
  WITHIN_SLOTS("a node runs no more than its slots"),
  NO_SURPRISE("the parts of a node throw nothing but StoreException"),
  EVERYTHING_ENDS("what can run ends in bounded time once the faults are over");

  private final String promise;

  Invariant(String promise) {
    this.promise = promise;
  }

  String promise() {
    return promise;
  }
}
