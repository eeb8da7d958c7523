// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One run of a handler under one lease, until it ends or its process dies. */
final class SimulatedExecution implements EngineExecutor.Interruptible {

  /** How long a live node may take to notice that a lease ended elsewhere and to interrupt. */
  private static final Duration UNTIL_INTERRUPTED =
      NodeLeaseOptions.DEFAULT.stopAfter().plus(NodeLeaseOptions.DEFAULT.renewInterval());

  /** How long a handler that timed out may run on before it counts as ignoring its interrupt. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** The same for a handler whose node stopped itself or was stopped. */
  private static final Duration STOP_GRACE = Duration.ofSeconds(5);

  /** The outcome that the handler reported. */
  enum ReportedOutcome {
    NONE,
    SUCCEEDED,
    FAILED,
    SNOOZED,
    INTERRUPTED
  }

  /** An exception of a handler, without a stack trace because no test reads it. */
  static final class SimulatedException extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean failsPredicate;

    SimulatedException(boolean failsPredicate) {
      super("simulated failure", null, false, false);
      this.failsPredicate = failsPredicate;
    }

    boolean failsPredicate() {
      return failsPredicate;
    }
  }

  private final World world;
  private final NodeProcess process;
  private final LeaseKey key;
  private final HandlerScript script;
  private final Fiber fiber;
  private final Instant startedAt;
  private @Nullable Instant lastHeartbeatAt;
  private @Nullable Instant interruptedAt;
  private @Nullable Instant endedAt;
  private int heartbeats;
  private Duration inactiveFor = Duration.ZERO;
  private @Nullable Instant leaseEndedAt;
  private ReportedOutcome reportedOutcome = ReportedOutcome.NONE;

  SimulatedExecution(World world, NodeProcess process, LeaseKey key, Runnable work) {
    this.world = world;
    this.process = process;
    this.key = key;
    this.script = HandlerScript.random(world.random, world.faults);
    this.startedAt = world.now();
    this.fiber = process.fiber(() -> run(work));
    world.trace.line(process.name(), "runs " + describe() + ": " + script);
    world.scheduler.after(world.random.millis(0, 5), process, () -> world.scheduler.resume(fiber));
  }

  private void run(Runnable work) {
    work.run();
    if (!process.isDead()) {
      world.trace.line(process.name(), "ran " + describe() + ": " + reportedOutcome);
      endedAt = world.now();
      process.handlerEnded(this);
    }
  }

  /** Runs the code of the handler. */
  void runHandler(TaskContext context) throws Exception {
    lastHeartbeatAt = world.now();
    Duration left = script.workTime();
    while (left.isPositive()) {
      Duration slice = left.compareTo(script.heartbeatEvery()) < 0 ? left : script.heartbeatEvery();
      world.scheduler.sleep(process, slice);
      if (interruptedAt != null && script.interruptible()) {
        reportedOutcome = ReportedOutcome.INTERRUPTED;
        throw new InterruptedException("interrupted");
      }
      left = left.minus(slice);
      if (left.isPositive()) {
        lastHeartbeatAt = world.now();
        Long expected = context.task().progress().expected();
        heartbeats++;
        context.progress(heartbeats, expected == null ? 2 : expected);
      }
    }
    end(context);
  }

  private void end(TaskContext context) throws SimulatedException {
    reportedOutcome =
        switch (script.end()) {
          case RETURN, RETURN_REJECTED_RESULT -> ReportedOutcome.SUCCEEDED;
          case SNOOZE -> ReportedOutcome.SNOOZED;
          case THROW, THROW_AND_FAIL_PREDICATE, RETRY_AFTER, PERMANENT, FAIL_WITH_CODE ->
              ReportedOutcome.FAILED;
        };
    switch (script.end()) {
      case RETURN -> context.result("done");
      case RETURN_REJECTED_RESULT -> context.result(FailingStore.REJECTED_RESULT);
      case THROW -> throw new SimulatedException(false);
      case THROW_AND_FAIL_PREDICATE -> throw new SimulatedException(true);
      case RETRY_AFTER -> throw context.retryAfter(script.delay(), "not yet");
      case PERMANENT -> throw context.permanent("never");
      case FAIL_WITH_CODE -> throw context.fail("no_slots", "all taken");
      case SNOOZE -> throw context.snooze(script.delay());
    }
  }

  @Override
  public void interrupt() {
    world.trace.line(process.name(), "interrupts " + describe());
    interruptedAt = interruptedAt == null ? world.now() : interruptedAt;
    inactiveFor =
        lastHeartbeatAt == null ? Duration.ZERO : Duration.between(lastHeartbeatAt, world.now());
    if (script.interruptible()) {
      world.scheduler.after(
          script.interruptDelay(), process, () -> world.scheduler.wake(fiber, fiber.currentWait()));
    }
  }

  /** Records that another process ended the lease. This process will notice later. */
  void leaseEndedElsewhere() {
    leaseEndedAt = world.now();
  }

  /** Returns why this execution may overlap with another one of the task, or null if it may not. */
  @Nullable CoveragePoint allowedOverlap() {
    Instant recently = world.now().minus(UNTIL_INTERRUPTED);
    if (process.lastFrozenAt().isAfter(recently)) {
      return CoveragePoint.OVERLAP_AFTER_FREEZE;
    }
    if (keptRunningFor(script.interruptible() ? GRACE : Duration.ZERO)) {
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
   * Returns whether an interrupt stopped the execution: the handler had not started, or it threw
   * afterwards, or it kept running for too long.
   */
  boolean wasStopped() {
    boolean threw =
        reportedOutcome == ReportedOutcome.INTERRUPTED || reportedOutcome == ReportedOutcome.FAILED;
    boolean ended = lastHeartbeatAt == null || (endedAt != null && threw);
    return interruptedAt != null && (ended || keptRunningFor(STOP_GRACE));
  }

  /** Returns whether it ran for at least this long after its interrupt. */
  private boolean keptRunningFor(Duration length) {
    Instant until = endedAt == null ? world.now() : endedAt;
    return interruptedAt != null && !until.isBefore(interruptedAt.plus(length));
  }

  /** Returns whether it had sent no heartbeat for this long when it was interrupted. */
  boolean wasInactiveFor(Duration length) {
    return inactiveFor.compareTo(length) >= 0;
  }

  /** Returns whether the store refuses the result, so that the end is written late. */
  boolean hasRejectedResult() {
    return script.end() == HandlerScript.HandlerEnd.RETURN_REJECTED_RESULT;
  }

  String describe() {
    return Trace.shortId(key.task()) + " epoch " + key.epoch();
  }
}
