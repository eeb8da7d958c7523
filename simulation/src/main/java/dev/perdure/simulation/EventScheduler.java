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
 * What happens when: takes the next event, moves the clock there, lets it happen. The clock is the
 * database's; everybody else's is made from it.
 */
final class EventScheduler {

  /** Whose events wait while it stands still, and never come once it is dead. */
  interface Owner {
    boolean isDead();

    boolean isFrozen();

    /** Keeps an event for the moment it moves again. */
    void defer(Runnable event);
  }

  private record Event(Instant at, long number, @Nullable Owner owner, Runnable work) {}

  private final FakeClock clock = new FakeClock();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::number));
  private final Violations violations;
  private @Nullable Fiber current;
  private long numbers;

  EventScheduler(Violations violations) {
    this.violations = violations;
  }

  FakeClock clock() {
    return clock;
  }

  Instant now() {
    return clock.instant();
  }

  /** Does this after the delay, whatever becomes of anybody. */
  void after(Duration delay, Runnable work) {
    add(delay, null, work);
  }

  /** Does this after the delay, in the life of its owner. */
  void after(Duration delay, Owner owner, Runnable work) {
    add(delay, owner, work);
  }

  private void add(Duration delay, @Nullable Owner owner, Runnable work) {
    numbers++;
    events.add(new Event(now().plus(delay), numbers, owner, work));
  }

  /** One event. */
  void step() {
    Event event = requireNonNull(events.poll(), "nothing will ever happen again");
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
    } catch (Throwable problem) {
      violations.reportUnexpected(problem);
    } finally {
      current = before;
    }
  }

  /** The fiber that runs now. */
  Fiber current() {
    return requireNonNull(current, "no fiber runs");
  }

  /** The fiber that runs now stands still for this long, unless it is woken. */
  void sleep(Owner owner, Duration length) {
    Fiber me = current();
    long wait = me.nextWait();
    after(length, owner, () -> wake(me, wait));
    me.pause();
  }

  /** Goes on with a fiber if it is still in that wait. */
  void wake(Fiber fiber, long wait) {
    if (fiber.isInWait(wait)) {
      fiber.nextWait();
      resume(fiber);
    }
  }
}
