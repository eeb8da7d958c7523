// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

/** A statement that must be true. {@link InvariantChecker} and the others check it. */
enum Invariant {
  NO_LOST_TASK("an acknowledged task is in the database"),
  FAILED_WRITE_NOT_APPLIED("a failed submission is not stored, unless its outcome is unknown"),
  NO_OVERLAP(
      "two executions of a task overlap only if a node froze, a handler ignored its interrupt or the"
          + " interrupt is under way"),
  NO_STALE_START("no execution starts more than 15 s after its lease ended, unless its node froze"),
  TERMINAL_IS_FINAL("only a revive changes an ended task"),
  NEVER_EARLY("no attempt starts before it is due"),
  ONLY_CLAIMABLE_IS_CLAIMED("a paused, parked or running task is not claimed"),
  ATTEMPTS_NUMBERED("attempt numbers have no gaps"),
  RETRIES_WITHIN_POLICY("between revives, a task has at most the retries of its policy"),
  ONE_OUTCOME_PER_LEASE("every ended lease has exactly one attempt record, written with its end"),
  RECORD_MATCHES_EXECUTION("an attempt record shows what the execution of its epoch reported"),
  EXECUTION_HAS_RECORD("every execution has an attempt record"),
  FENCING("a write for an older epoch, attempt, state or version changes nothing"),
  ACKNOWLEDGED_WRITE_DURABLE("an acknowledged write is in the database"),
  NO_UNREQUESTED_CHANGE("no row changes without a write"),
  DEAD_NODE_STAYS_DEAD("an expired node is never alive again"),
  LOSS_HAS_A_CAUSE(
      "a task is lost only if its node could neither renew its lease nor hand the task back"),
  TIMEOUT_HAS_A_CAUSE(
      "an attempt times out only if its handler ran without a heartbeat for the whole timeout"),
  LISTENER_MATCHES_STORE("listeners are notified of an end once, and only after it is written"),
  ONE_DELIVERY_PER_END("the outbox has exactly one delivery for each end of a task, and no others"),
  WITHIN_SLOTS("a node has no more attempts than slots"),
  NO_UNEXPECTED_EXCEPTION("the loops of a node throw nothing but StoreException"),
  DEPENDENCIES_MET_BEFORE_START("a task starts only when all its dependencies are satisfied"),
  UPSTREAM_FAILURE_HAS_A_CAUSE(
      "a task fails as upstream_failed only while a task that it requires has failed"),
  COUNTS_MATCH_DEPENDENCIES("the counts of a task equal a recount of its dependencies"),
  OUTCOME_MATCHES_PARENT("a dependency gets the outcome that follows from its parent's state"),
  RETRY_NOT_PROPAGATED("a dependency gets no outcome while its parent will be retried"),
  PROPAGATED_WHEN_BATCH_IS_FINAL(
      "the ends of a batch with a policy are propagated to other batches only when it is final"),
  ONE_RUN_PER_DECISION(
      "each decision starts one run, numbered without gaps, and not before its instant"),
  NO_EVENT_LEFT("every event of a propagation is handled in bounded time"),
  WITHIN_LIMIT("no limit on tasks or items that run together is exceeded"),
  USE_MATCHES_TASKS("what a limit has in use equals its claimed and running tasks"),
  RATE_IS_KEPT("no period of a rate has more starts than the rate and its burst allow"),
  SWEEP_CORRECTS_NOTHING("a check of the limits finds nothing to correct"),
  OPEN_LIMIT_IS_SERVED("a due task whose limits have room is claimed within two polls"),
  ONE_LIVE_TASK_PER_KEY(
      "a shard has at most one live task with a dedupe key, and the key of an ended task is free"),
  DUPLICATE_IS_LIVE(
      "a task is left out only if a live task has its dedupe key, and the answer names that task"),
  REPLACED_BEFORE_START("only a task that was never claimed takes the payload of its duplicate"),
  ONE_FIRING_PER_INSTANT("a schedule fires at each of its instants at most once"),
  EVERY_INSTANT_NOTED(
      "each instant of a schedule has a firing, or one that stands for it, and no other time has"),
  FIRED_HAS_TASKS("the tasks of a firing exist exactly when it says that it fired"),
  OVERLAP_RULE_IS_KEPT("a firing is skipped, queued or missed only as its schedule says"),
  EVENTUAL_COMPLETION(
      "every task that can run and every batch ends in bounded time after the faults have ended");

  private final String description;

  Invariant(String description) {
    this.description = description;
  }

  String description() {
    return description;
  }
}
