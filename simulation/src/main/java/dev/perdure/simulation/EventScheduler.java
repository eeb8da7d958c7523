// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs events in the order of their time. It takes the next event, moves the clock to its time and
 * runs it. The clock is that of the database; the clocks of hosts are derived from it.
 */
final class EventScheduler {

  /** The owner of an event. Its events wait while it is frozen and are dropped once it is dead. */
  interface Owner {
    boolean isDead();

    boolean isFrozen();

    /** Keeps an event until the owner thaws. */
    void defer(Runnable event);
  }

  private record Event(Instant at, long number, @Nullable Owner owner, Runnable work) {}

  private final FakeClock clock;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::number));
  private final Violations violations;
  private @Nullable Fiber current;
  private long numbers;

  EventScheduler(Violations violations, Instant start) {
    this.clock = new FakeClock(start);
    this.violations = violations;
  }

  FakeClock clock() {
    return clock;
  }

  Instant now() {
    return clock.instant();
  }

  /** Runs the work after the delay, whatever happens to the processes. */
  void after(Duration delay, Runnable work) {
    add(delay, null, work);
  }

  /** Runs the work after the delay, unless its owner is dead by then. */
  void after(Duration delay, Owner owner, Runnable work) {
    add(delay, owner, work);
  }

  private void add(Duration delay, @Nullable Owner owner, Runnable work) {
    numbers++;
    events.add(new Event(now().plus(delay), numbers, owner, work));
  }

  /** Runs the next event. */
  void step() {
    Event event = requireNonNull(events.poll(), "there are no more events");
    clock.set(event.at());
    Owner owner = event.owner();
    if (owner != null && owner.isDead()) {
      return;
    }
    if (owner != null && owner.isFrozen()) {
      owner.defer(event.work());
    } else {
      event.work().run();
    }
  }

  void resume(Fiber fiber) {
    run(fiber, fiber::resume);
  }

  void kill(Fiber fiber) {
    run(fiber, fiber::kill);
  }

  private interface Handover {
    void run() throws Throwable;
  }

  private void run(Fiber fiber, Handover handover) {
    Fiber before = current;
    current = fiber;
    try {
      handover.run();
    } catch (Throwable unexpected) {
      violations.reportUnexpected(unexpected);
    } finally {
      current = before;
    }
  }

  /** Returns the running fiber. */
  Fiber current() {
    return requireNonNull(current, "no fiber is running");
  }

  /** Pauses the running fiber for this long, unless it is woken earlier. */
  void sleep(Owner owner, Duration length) {
    Fiber me = current();
    long wait = me.nextWait();
    after(length, owner, () -> wake(me, wait));
    me.pause();
  }

  /** Resumes a fiber if it is still in this wait. */
  void wake(Fiber fiber, long wait) {
    if (fiber.isInWait(wait)) {
      fiber.nextWait();
      resume(fiber);
    }
  }
}
