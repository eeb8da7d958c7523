// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.spi.ScheduleStore.FiringRound;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one process to the database, with latency, errors and lost responses. A request
 * arrives even if its caller has given up or its process has died.
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

  /** Makes a call that writes. If its response is lost, the caller does not know the outcome. */
  <T> T write(String what, Supplier<T> operation) {
    return call(new PendingCall<>(what, true, operation));
  }

  /** Makes a write that renews the node lease. */
  <T> T renewal(String what, Supplier<T> operation) {
    return process.renewing(() -> write(what, operation));
  }

  /** Makes a call that only reads. */
  <T> T read(String what, Supplier<T> operation) {
    return call(new PendingCall<>(what, false, operation));
  }

  private <T> T call(PendingCall<T> call) {
    process.requireAlive();
    if (isDown()) {
      world.scheduler.sleep(process, world.random.millis(1, 1500));
      throw call.connectionLost();
    }
    if (world.faults.isActive(Fault.CALL_ERRORS) && world.random.percent(PERCENT_FAILING)) {
      process.markDisturbed();
      throw call.unavailable();
    }
    Duration request = latency();
    Duration response = latency();
    if (request.isZero() && response.isZero()) {
      call.execute();
      return call.response();
    }
    return callWithLatency(call, request, response);
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

  private <T> T callWithLatency(PendingCall<T> call, Duration request, Duration response) {
    Fiber me = world.scheduler.current();
    long wait = me.nextWait();
    if (request.plus(response).compareTo(SLOW) > 0 && world.random.oneIn(2)) {
      Duration timeout = world.random.seconds(1, 30);
      world.scheduler.after(timeout, process, () -> giveUp(call, me, wait));
    }
    world.scheduler.after(
        request,
        () -> {
          call.execute();
          world.scheduler.after(response, process, () -> deliverResponse(call, me, wait));
        });
    pause(me, request.plus(response));
    return call.response();
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

  private <T> void giveUp(PendingCall<T> call, Fiber fiber, long wait) {
    if (fiber.isInWait(wait)) {
      world.trace.line(process.name(), "gives up waiting for " + call.what);
      call.fail(call.noResponse());
      world.scheduler.wake(fiber, wait);
    }
  }

  private <T> void deliverResponse(PendingCall<T> call, Fiber fiber, long wait) {
    if (fiber.isInWait(wait) && isDown()) {
      call.fail(call.noResponse());
    }
    world.scheduler.wake(fiber, wait);
  }

  private static boolean isLimited(Lease lease) {
    return lease.task().hold().contains(HoldReason.LIMITED);
  }

  /** A call that is under way. */
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

    /** Executes the call at the database. */
    void execute() {
      if (isDown()) {
        fail(connectionLost());
        return;
      }
      if (writes && (process.isDead() || failure != null)) {
        world.trace.line(process.name(), "a request arrives after its caller is gone: " + what);
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
        world.trace.line(process.name(), "loses the response to " + what);
        if (what.equals("claim")) {
          world.trace.covered(CoveragePoint.CLAIM_RESPONSE_LOST);
        }
        if (response instanceof ClaimResult claimed
            && claimed.leases().stream().anyMatch(UnreliableConnection::isLimited)) {
          world.trace.covered(CoveragePoint.LIMITED_CLAIM_RESPONSE_LOST);
        }
        if (response instanceof RulesChanged changed && changed.tasks() > 0) {
          world.trace.covered(CoveragePoint.RULES_CHANGE_RESPONSE_LOST);
        }
        if (response instanceof FiringRound round && round.schedules() > 0) {
          world.trace.covered(CoveragePoint.FIRING_RESPONSE_LOST);
        }
        if (response instanceof Propagation done && done.dependencies() > 0) {
          world.trace.covered(CoveragePoint.PROPAGATION_RESPONSE_LOST);
        }
        fail(noResponse());
      }
    }

    /** Records the first failure. A caller that gave up does not see what happens later. */
    void fail(RuntimeException cause) {
      if (failure == null) {
        failure = cause;
      }
    }

    T response() {
      if (failure != null) {
        throw failure;
      }
      return requireNonNull(response, "no response");
    }

    StoreException unavailable() {
      return new StoreException(
          what + ": the database is unreachable", null, ErrorKind.UNAVAILABLE);
    }

    /** Nothing was done, but the caller cannot always tell that. */
    StoreException connectionLost() {
      return world.random.oneIn(3) ? noResponse() : unavailable();
    }

    StoreException noResponse() {
      ErrorKind errorKind = writes ? ErrorKind.UNKNOWN : ErrorKind.UNAVAILABLE;
      return new StoreException(what + ": no response", null, errorKind);
    }
  }
}
