// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One execution of a task by a handler: from its dispatch to its end, or the death of its node. */
final class SimulatedExecution implements EngineExecutor.Interruptible {

  /** The longest a live node may take to learn that a lease ended elsewhere, and to act on it. */
  private static final Duration UNTIL_INTERRUPTED =
      NodeLeaseOptions.DEFAULT.stopAfter().plus(NodeLeaseOptions.DEFAULT.renewInterval());

  /** A handler that timed out and has not obeyed by then is stubborn. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** The same for a handler of a node that stopped itself, or was stopped. */
  private static final Duration STOP_GRACE = Duration.ofSeconds(5);

  /** What the handler said about its end. */
  enum ReportedOutcome {
    NONE,
    SUCCEEDED,
    FAILED,
    SNOOZED,
    INTERRUPTED
  }

  /** What a handler throws; without a stack, since nobody reads it. */
  static final class SimulatedException extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean failsPredicate;

    SimulatedException(boolean breaksThePredicate) {
      super("no luck", null, false, false);
      this.failsPredicate = breaksThePredicate;
    }

    boolean failsPredicate() {
      return failsPredicate;
    }
  }

  private final World world;
  private final NodeProcess process;
  private final LeaseKey key;
  private final HandlerScript handlerScript;
  private final Fiber fiber;
  private final Instant startedAt;
  private @Nullable Instant lastHeartbeatAt;
  private @Nullable Instant interruptedAt;
  private @Nullable Instant endedAt;
  private Duration silence = Duration.ZERO;
  private @Nullable Instant leaseEndedAt;
  private ReportedOutcome reportedOutcome = ReportedOutcome.NONE;

  SimulatedExecution(World world, NodeProcess process, LeaseKey key, Runnable work) {
    this.world = world;
    this.process = process;
    this.key = key;
    this.handlerScript = HandlerScript.random(world.random, world.faults);
    this.startedAt = world.now();
    this.fiber = process.fiber(() -> run(work));
    world.trace.line(process.name(), "runs " + describe() + ": " + handlerScript);
    world.scheduler.after(world.random.millis(0, 5), process, () -> world.scheduler.resume(fiber));
  }

  private void run(Runnable work) {
    work.run();
    if (!process.isDead()) {
      world.trace.line(process.name(), "has run " + describe() + ": " + reportedOutcome);
      endedAt = world.now();
      process.handlerEnded(this);
    }
  }

  /** The handler's own code. */
  void runHandler(TaskContext context) throws Exception {
    lastHeartbeatAt = world.now();
    Duration left = handlerScript.workTime();
    while (left.isPositive()) {
      Duration slice =
          left.compareTo(handlerScript.heartbeatEvery()) < 0
              ? left
              : handlerScript.heartbeatEvery();
      world.scheduler.sleep(process, slice);
      if (interruptedAt != null && handlerScript.interruptible()) {
        reportedOutcome = ReportedOutcome.INTERRUPTED;
        throw new InterruptedException("interrupted");
      }
      left = left.minus(slice);
      if (left.isPositive()) {
        lastHeartbeatAt = world.now();
        context.progress(1, 2);
      }
    }
    end(context);
  }

  private void end(TaskContext context) throws SimulatedException {
    reportedOutcome =
        switch (handlerScript.end()) {
          case RETURN, RETURN_REJECTED_RESULT -> ReportedOutcome.SUCCEEDED;
          case SNOOZE -> ReportedOutcome.SNOOZED;
          case THROW, THROW_AND_FAIL_PREDICATE, RETRY_AFTER, PERMANENT, FAIL_WITH_CODE ->
              ReportedOutcome.FAILED;
        };
    switch (handlerScript.end()) {
      case RETURN -> context.result("done");
      case RETURN_REJECTED_RESULT -> context.result(FailingStore.REJECTED_RESULT);
      case THROW -> throw new SimulatedException(false);
      case THROW_AND_FAIL_PREDICATE -> throw new SimulatedException(true);
      case RETRY_AFTER -> throw context.retryAfter(handlerScript.delay(), "not yet");
      case PERMANENT -> throw context.permanent("never");
      case FAIL_WITH_CODE -> throw context.fail("no_slots", "all taken");
      case SNOOZE -> throw context.snooze(handlerScript.delay());
    }
  }

  @Override
  public void interrupt() {
    world.trace.line(process.name(), "interrupts " + describe());
    interruptedAt = interruptedAt == null ? world.now() : interruptedAt;
    silence =
        lastHeartbeatAt == null ? Duration.ZERO : Duration.between(lastHeartbeatAt, world.now());
    if (handlerScript.interruptible()) {
      world.scheduler.after(
          handlerScript.interruptDelay(),
          process,
          () -> world.scheduler.wake(fiber, fiber.currentWait()));
    }
  }

  /** Somebody else ended the lease; the process will hear of it. */
  void leaseEndedElsewhere() {
    leaseEndedAt = world.now();
  }

  /** Why it may still run although the task runs elsewhere too; null when nothing excuses it. */
  @Nullable CoveragePoint allowedOverlap() {
    Instant recently = world.now().minus(UNTIL_INTERRUPTED);
    if (process.lastFrozenAt().isAfter(recently)) {
      return CoveragePoint.OVERLAP_AFTER_FREEZE;
    }
    if (keptRunningFor(handlerScript.interruptible() ? GRACE : Duration.ZERO)) {
      return CoveragePoint.OVERLAP_WITH_IGNORED_INTERRUPT;
    }
    if (leaseEndedAt != null && (leaseEndedAt.isAfter(recently) || startedAt.isAfter(recently))) {
      return CoveragePoint.OVERLAP_BEFORE_INTERRUPT;
    }
    return null;
  }

  NodeProcess process() {
    return process;
  }

  LeaseKey key() {
    return key;
  }

  ReportedOutcome reportedOutcome() {
    return reportedOutcome;
  }

  /**
   * True when it was interrupted: before it began, or it threw then, of its own will or not, or it
   * went on for long.
   */
  boolean wasStopped() {
    boolean threw =
        reportedOutcome == ReportedOutcome.INTERRUPTED || reportedOutcome == ReportedOutcome.FAILED;
    boolean ended = lastHeartbeatAt == null || (endedAt != null && threw);
    return interruptedAt != null && (ended || keptRunningFor(STOP_GRACE));
  }

  /** True when it did not end for so long after its interrupt. */
  private boolean keptRunningFor(Duration length) {
    Instant until = endedAt == null ? world.now() : endedAt;
    return interruptedAt != null && !until.isBefore(interruptedAt.plus(length));
  }

  /** True when it had begun, and nothing was heard of it for so long when it was interrupted. */
  boolean wasSilentFor(Duration length) {
    return silence.compareTo(length) >= 0;
  }

  /** True when its end is written only after the store refused it often. */
  boolean hasRejectedResult() {
    return handlerScript.end() == HandlerScript.HandlerEnd.RETURN_REJECTED_RESULT;
  }

  String describe() {
    return Trace.shortId(key.task()) + " epoch " + key.epoch();
  }
}
