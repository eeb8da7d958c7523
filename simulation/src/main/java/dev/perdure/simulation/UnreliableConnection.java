// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process's way to the database and back. A request that is on its way arrives, whatever has
 * become of the process that sent it, and its answer may find nobody.
 */
final class UnreliableConnection {

  private static final Duration SLOW = Duration.ofSeconds(1);
  private static final int PERCENT_WITH_LATENCY = 20;
  private static final int PERCENT_SLOW = 4;
  private static final int PERCENT_FAILING = 3;
  private static final int PERCENT_RESPONSE_LOST = 4;

  private final World world;
  private final NodeProcess process;

  UnreliableConnection(World world, NodeProcess process) {
    this.world = world;
    this.process = process;
  }

  /** A call that changes something: when its answer is lost, nobody knows whether it did. */
  <T> T write(String what, Supplier<T> operation) {
    return call(new PendingCall<>(what, true, operation));
  }

  /** A write that keeps a node's row alive. */
  <T> T renewal(String what, Supplier<T> operation) {
    return process.renewing(() -> write(what, operation));
  }

  /** A call that changes nothing. */
  <T> T read(String what, Supplier<T> operation) {
    return call(new PendingCall<>(what, false, operation));
  }

  private <T> T call(PendingCall<T> pendingCall) {
    process.requireAlive();
    if (isDown()) {
      world.scheduler.sleep(process, world.random.millis(1, 1500));
      throw pendingCall.connectionLost();
    }
    if (world.faults.isActive(Fault.CALL_ERRORS) && world.random.percent(PERCENT_FAILING)) {
      process.markDisturbed();
      throw pendingCall.unavailable();
    }
    Duration there = latency();
    Duration back = latency();
    if (there.isZero() && back.isZero()) {
      pendingCall.execute();
      return pendingCall.response();
    }
    return callWithLatency(pendingCall, there, back);
  }

  private boolean isDown() {
    return world.faults.outage() || process.isPartitioned();
  }

  private Duration latency() {
    if (world.faults.isActive(Fault.SLOW_CALLS) && world.random.percent(PERCENT_SLOW)) {
      return world.random.oneIn(3) ? world.random.seconds(5, 40) : world.random.seconds(0, 5);
    }
    if (!world.random.percent(PERCENT_WITH_LATENCY)) {
      return Duration.ZERO;
    }
    return world.random.oneIn(5) ? world.random.millis(30, 500) : world.random.millis(1, 30);
  }

  private <T> T callWithLatency(PendingCall<T> pendingCall, Duration there, Duration back) {
    Fiber me = world.scheduler.current();
    long wait = me.nextWait();
    if (there.plus(back).compareTo(SLOW) > 0 && world.random.oneIn(2)) {
      Duration patience = world.random.seconds(1, 30);
      world.scheduler.after(patience, process, () -> giveUp(pendingCall, me, wait));
    }
    world.scheduler.after(
        there,
        () -> {
          pendingCall.execute();
          world.scheduler.after(back, process, () -> deliverResponse(pendingCall, me, wait));
        });
    pause(me, there.plus(back));
    return pendingCall.response();
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

  private <T> void giveUp(PendingCall<T> pendingCall, Fiber fiber, long wait) {
    if (fiber.isInWait(wait)) {
      world.trace.line(process.name(), "gives up waiting for " + pendingCall.what);
      pendingCall.fail(pendingCall.noResponse());
      world.scheduler.wake(fiber, wait);
    }
  }

  private <T> void deliverResponse(PendingCall<T> pendingCall, Fiber fiber, long wait) {
    if (fiber.isInWait(wait) && isDown()) {
      pendingCall.fail(pendingCall.noResponse());
    }
    world.scheduler.wake(fiber, wait);
  }

  /** One call, from the caller to the database and back. */
  private final class PendingCall<T> {

    private final String what;
    private final boolean writes;
    private final Supplier<T> operation;
    private @Nullable T response;
    private @Nullable RuntimeException failure;

    PendingCall(String what, boolean writes, Supplier<T> operation) {
      this.what = what;
      this.writes = writes;
      this.operation = operation;
    }

    /** At the database. */
    void execute() {
      if (isDown()) {
        fail(connectionLost());
        return;
      }
      if (writes && (process.isDead() || failure != null)) {
        world.trace.line(process.name(), "a request arrives that nobody waits for: " + what);
        world.trace.covered(CoveragePoint.LATE_WRITE_WITHOUT_CALLER);
      }
      try {
        response = operation.get();
        loseResponse();
      } catch (StoreException refused) {
        fail(refused);
      }
    }

    private void loseResponse() {
      if (writes
          && world.faults.isActive(Fault.LOST_RESPONSES)
          && world.random.percent(PERCENT_RESPONSE_LOST)) {
        process.markDisturbed();
        world.trace.line(process.name(), "the answer to " + what + " is lost");
        if (what.equals("claim")) {
          world.trace.covered(CoveragePoint.CLAIM_RESPONSE_LOST);
        }
        fail(noResponse());
      }
    }

    /** The first failure counts: whoever gave up does not hear what came of it. */
    void fail(RuntimeException why) {
      if (failure == null) {
        failure = why;
      }
    }

    T response() {
      if (failure != null) {
        throw failure;
      }
      return requireNonNull(response, "no answer");
    }

    StoreException unavailable() {
      return new StoreException(what + ": cannot be reached", null, ErrorKind.UNAVAILABLE);
    }

    /** Nothing was done; but not everybody whose connection breaks can tell. */
    StoreException connectionLost() {
      return world.random.oneIn(3) ? noResponse() : unavailable();
    }

    StoreException noResponse() {
      ErrorKind errorKind = writes ? ErrorKind.UNKNOWN : ErrorKind.UNAVAILABLE;
      return new StoreException(what + ": no answer", null, errorKind);
    }
  }
}
