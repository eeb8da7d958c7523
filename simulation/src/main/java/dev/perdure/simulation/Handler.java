// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.LeaseTimes;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.Workers;
import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One execution of a task by a handler: from its dispatch to its end, or the death of its node. */
final class Handler implements Workers.Worker {

  /** The longest a live node may take to learn that a lease ended elsewhere, and to act on it. */
  private static final Duration UNTIL_INTERRUPTED =
      LeaseTimes.DEFAULT.stopAfter().plus(LeaseTimes.DEFAULT.renewEvery());

  /** A handler that timed out and has not obeyed by then is stubborn. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** The same for a handler of a node that stopped itself, or was stopped. */
  private static final Duration GRACE_OF_A_STOP = Duration.ofSeconds(5);

  /** What the handler said about its end. */
  enum Said {
    NOTHING,
    DONE,
    FAILED,
    SNOOZED,
    INTERRUPTED
  }

  /** What a handler throws; without a stack, since nobody reads it. */
  static final class Trouble extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean breaksThePredicate;

    Trouble(boolean breaksThePredicate) {
      super("no luck", null, false, false);
      this.breaksThePredicate = breaksThePredicate;
    }

    boolean breaksThePredicate() {
      return breaksThePredicate;
    }
  }

  private final World world;
  private final NodeProcess process;
  private final LeaseKey key;
  private final Script script;
  private final Fiber fiber;
  private final Instant startedAt;
  private @Nullable Instant heardAt;
  private @Nullable Instant interruptedAt;
  private @Nullable Instant overAt;
  private Duration silence = Duration.ZERO;
  private @Nullable Instant endedElsewhereAt;
  private Said said = Said.NOTHING;

  Handler(World world, NodeProcess process, LeaseKey key, Runnable work) {
    this.world = world;
    this.process = process;
    this.key = key;
    this.script = Script.draw(world.chance, world.weather);
    this.startedAt = world.now();
    this.fiber = process.fiber(() -> live(work));
    world.trace.line(process.name(), "runs " + text() + ": " + script);
    world.scheduler.after(world.chance.millis(0, 5), process, () -> world.scheduler.resume(fiber));
  }

  private void live(Runnable work) {
    work.run();
    if (!process.isDead()) {
      world.trace.line(process.name(), "has run " + text() + ": " + said);
      overAt = world.now();
      process.handlerEnded(this);
    }
  }

  /** The handler's own code. */
  void work(TaskContext context) throws Exception {
    heardAt = world.now();
    Duration left = script.length();
    while (left.isPositive()) {
      Duration slice = left.compareTo(script.signEvery()) < 0 ? left : script.signEvery();
      world.scheduler.sleep(process, slice);
      if (interruptedAt != null && script.obeys()) {
        said = Said.INTERRUPTED;
        throw new InterruptedException("interrupted");
      }
      left = left.minus(slice);
      if (left.isPositive()) {
        heardAt = world.now();
        context.progress(1, 2);
      }
    }
    end(context);
  }

  private void end(TaskContext context) throws Trouble {
    said =
        switch (script.end()) {
          case RETURN, RETURN_UNSTORABLE -> Said.DONE;
          case SNOOZE -> Said.SNOOZED;
          case THROW, THROW_AND_BREAK_THE_PREDICATE, RETRY_AFTER, PERMANENT, FAIL_WITH_CODE ->
              Said.FAILED;
        };
    switch (script.end()) {
      case RETURN -> context.result("done");
      case RETURN_UNSTORABLE -> context.result(FailingStore.UNSTORABLE);
      case THROW -> throw new Trouble(false);
      case THROW_AND_BREAK_THE_PREDICATE -> throw new Trouble(true);
      case RETRY_AFTER -> throw context.retryAfter(script.delay(), "not yet");
      case PERMANENT -> throw context.permanent("never");
      case FAIL_WITH_CODE -> throw context.fail("no_slots", "all taken");
      case SNOOZE -> throw context.snooze(script.delay());
    }
  }

  @Override
  public void interrupt() {
    world.trace.line(process.name(), "interrupts " + text());
    interruptedAt = interruptedAt == null ? world.now() : interruptedAt;
    silence = heardAt == null ? Duration.ZERO : Duration.between(heardAt, world.now());
    if (script.obeys()) {
      world.scheduler.after(
          script.obeysAfter(), process, () -> world.scheduler.wake(fiber, fiber.currentWait()));
    }
  }

  /** Somebody else ended the lease; the process will hear of it. */
  void endedElsewhere() {
    endedElsewhereAt = world.now();
  }

  /** Why it may still run although the task runs elsewhere too; null when nothing excuses it. */
  @Nullable Situation excuse() {
    Instant recently = world.now().minus(UNTIL_INTERRUPTED);
    if (process.lastFrozen().isAfter(recently)) {
      return Situation.OVERLAP_AFTER_FREEZE;
    }
    if (wentOnFor(script.obeys() ? GRACE : Duration.ZERO)) {
      return Situation.OVERLAP_WITH_A_STUBBORN_HANDLER;
    }
    if (endedElsewhereAt != null
        && (endedElsewhereAt.isAfter(recently) || startedAt.isAfter(recently))) {
      return Situation.OVERLAP_BEFORE_THE_INTERRUPT_ARRIVES;
    }
    return null;
  }

  NodeProcess process() {
    return process;
  }

  LeaseKey key() {
    return key;
  }

  Said said() {
    return said;
  }

  /**
   * True when it was interrupted: before it began, or it threw then, of its own will or not, or it
   * went on for long.
   */
  boolean wasStopped() {
    boolean threw = said == Said.INTERRUPTED || said == Said.FAILED;
    boolean ended = heardAt == null || (overAt != null && threw);
    return interruptedAt != null && (ended || wentOnFor(GRACE_OF_A_STOP));
  }

  /** True when it did not end for so long after its interrupt. */
  private boolean wentOnFor(Duration length) {
    Instant until = overAt == null ? world.now() : overAt;
    return interruptedAt != null && !until.isBefore(interruptedAt.plus(length));
  }

  /** True when it had begun, and nothing was heard of it for so long when it was interrupted. */
  boolean wasSilentFor(Duration length) {
    return silence.compareTo(length) >= 0;
  }

  /** True when its end is written only after the store refused it often. */
  boolean isUnstorable() {
    return script.end() == Script.End.RETURN_UNSTORABLE;
  }

  String text() {
    return Trace.brief(key.task()) + " epoch " + key.epoch();
  }
}
