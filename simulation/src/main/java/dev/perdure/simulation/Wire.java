// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.StoreException.Sort;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process's way to the database and back. A request that is on its way arrives, whatever has
 * become of the process that sent it, and its answer may find nobody.
 */
final class Wire {

  private static final Duration SLOW = Duration.ofSeconds(1);
  private static final int PERCENT_WITH_LATENCY = 20;
  private static final int PERCENT_SLOW = 4;
  private static final int PERCENT_FAILING = 3;
  private static final int PERCENT_LOST = 4;

  private final World world;
  private final NodeProcess process;

  Wire(World world, NodeProcess process) {
    this.world = world;
    this.process = process;
  }

  /** A call that changes something: when its answer is lost, nobody knows whether it did. */
  <T> T write(String what, Supplier<T> operation) {
    return call(new Request<>(what, true, operation));
  }

  /** A write that keeps a node's row alive. */
  <T> T renewal(String what, Supplier<T> operation) {
    return process.renewing(() -> write(what, operation));
  }

  /** A call that changes nothing. */
  <T> T read(String what, Supplier<T> operation) {
    return call(new Request<>(what, false, operation));
  }

  private <T> T call(Request<T> request) {
    process.requireAlive();
    if (isDown()) {
      world.scheduler.sleep(process, world.chance.millis(1, 1500));
      throw request.broken();
    }
    if (world.weather.has(Fault.ERRORS) && world.chance.percent(PERCENT_FAILING)) {
      process.troubled();
      throw request.notDone();
    }
    Duration there = transit();
    Duration back = transit();
    if (there.isZero() && back.isZero()) {
      request.arrive();
      return request.answer();
    }
    return overTime(request, there, back);
  }

  private boolean isDown() {
    return world.weather.outage() || process.isCutOff();
  }

  private Duration transit() {
    if (world.weather.has(Fault.SLOW_CALLS) && world.chance.percent(PERCENT_SLOW)) {
      return world.chance.oneIn(3) ? world.chance.seconds(5, 40) : world.chance.seconds(0, 5);
    }
    if (!world.chance.percent(PERCENT_WITH_LATENCY)) {
      return Duration.ZERO;
    }
    return world.chance.oneIn(5) ? world.chance.millis(30, 500) : world.chance.millis(1, 30);
  }

  private <T> T overTime(Request<T> request, Duration there, Duration back) {
    Fiber me = world.scheduler.current();
    long wait = me.nextWait();
    if (there.plus(back).compareTo(SLOW) > 0 && world.chance.oneIn(2)) {
      Duration patience = world.chance.seconds(1, 30);
      world.scheduler.after(patience, process, () -> giveUp(request, me, wait));
    }
    world.scheduler.after(
        there,
        () -> {
          request.arrive();
          world.scheduler.after(back, process, () -> deliver(request, me, wait));
        });
    pause(me, there.plus(back));
    return request.answer();
  }

  private void pause(Fiber me, Duration length) {
    boolean slow = length.compareTo(SLOW) > 0;
    if (slow) {
      process.slowCall(1);
    }
    try {
      me.pause();
    } finally {
      if (slow) {
        process.slowCall(-1);
      }
    }
  }

  private <T> void giveUp(Request<T> request, Fiber fiber, long wait) {
    if (fiber.isIn(wait)) {
      world.trace.line(process.name(), "gives up waiting for " + request.what);
      request.fail(request.unanswered());
      world.scheduler.wake(fiber, wait);
    }
  }

  private <T> void deliver(Request<T> request, Fiber fiber, long wait) {
    if (fiber.isIn(wait) && isDown()) {
      request.fail(request.unanswered());
    }
    world.scheduler.wake(fiber, wait);
  }

  /** One call, from the caller to the database and back. */
  private final class Request<T> {

    private final String what;
    private final boolean writes;
    private final Supplier<T> operation;
    private @Nullable T answer;
    private @Nullable RuntimeException failure;

    Request(String what, boolean writes, Supplier<T> operation) {
      this.what = what;
      this.writes = writes;
      this.operation = operation;
    }

    /** At the database. */
    void arrive() {
      if (isDown()) {
        fail(broken());
        return;
      }
      if (writes && (process.isDead() || failure != null)) {
        world.trace.line(process.name(), "a request arrives that nobody waits for: " + what);
        world.trace.saw(Situation.LATE_REQUEST_OF_THE_DEAD);
      }
      try {
        answer = operation.get();
        loseAnswer();
      } catch (StoreException refused) {
        fail(refused);
      }
    }

    private void loseAnswer() {
      if (writes && world.weather.has(Fault.LOST_ANSWERS) && world.chance.percent(PERCENT_LOST)) {
        process.troubled();
        world.trace.line(process.name(), "the answer to " + what + " is lost");
        if (what.equals("claim")) {
          world.trace.saw(Situation.CLAIM_ANSWER_LOST);
        }
        fail(unanswered());
      }
    }

    /** The first failure counts: whoever gave up does not hear what came of it. */
    void fail(RuntimeException why) {
      if (failure == null) {
        failure = why;
      }
    }

    T answer() {
      if (failure != null) {
        throw failure;
      }
      return requireNonNull(answer, "no answer");
    }

    StoreException notDone() {
      return new StoreException(what + ": cannot be reached", null, Sort.UNAVAILABLE);
    }

    /** Nothing was done; but not everybody whose connection breaks can tell. */
    StoreException broken() {
      return world.chance.oneIn(3) ? unanswered() : notDone();
    }

    StoreException unanswered() {
      Sort sort = writes ? Sort.UNKNOWN : Sort.UNAVAILABLE;
      return new StoreException(what + ": no answer", null, sort);
    }
  }
}
