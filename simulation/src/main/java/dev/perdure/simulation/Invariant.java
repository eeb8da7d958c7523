// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

/** What must be true after every step. */
enum Invariant {
  NO_LOST_TASK("an acknowledged task is in the database"),
  FAILED_WRITE_NOT_APPLIED("what was answered with UNAVAILABLE was not done"),
  NO_OVERLAP("two executions of a task overlap only when a node froze or a handler was stubborn"),
  NO_STALE_START("no execution starts whose lease ended more than 15 s ago, unless its node froze"),
  TERMINAL_IS_FINAL("an ended task changes only by revive"),
  NEVER_EARLY("no attempt starts before its instant"),
  ONLY_CLAIMABLE_IS_CLAIMED("a paused, parked or running task is not claimed"),
  ATTEMPTS_NUMBERED("attempts are numbered without gap"),
  RETRIES_WITHIN_POLICY("retries are at most what the policy allows, between revives"),
  ONE_OUTCOME_PER_LEASE("every lease that ended has exactly one record, written with its end"),
  RECORD_MATCHES_EXECUTION("a record says what the execution of its epoch said"),
  EXECUTION_HAS_RECORD("every execution has a record"),
  FENCING("a write of an older epoch, attempt or state changes nothing"),
  ACKNOWLEDGED_WRITE_DURABLE("what the store answered is in the database"),
  NO_UNREQUESTED_CHANGE("no row changes unless somebody wrote it"),
  DEAD_NODE_STAYS_DEAD("a node row that ran out is never alive again"),
  LOSS_HAS_A_CAUSE("a task is lost only when its node could neither renew its row nor hand back"),
  TIMEOUT_HAS_A_CAUSE("an attempt times out only when its handler ran and was silent for so long"),
  LISTENER_MATCHES_STORE("an end is told once, and only after it happened"),
  ONE_DELIVERY_PER_END(
      "the outbox has one delivery for each end of a task, and none for anything else"),
  WITHIN_SLOTS("a node runs no more than its slots"),
  NO_UNEXPECTED_EXCEPTION("the parts of a node throw nothing but StoreException"),
  EVENTUAL_COMPLETION("what can run ends in bounded time once the faults are over");

  private final String description;

  Invariant(String promise) {
    this.description = promise;
  }

  String description() {
    return description;
  }
}
