// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a breaker gave for one attempt; it is told once how the attempt ended. */
final class Permit {

  /** The permit of those who have no breaker, or were not let through. */
  static final Permit NONE = new Permit(null, Waits.system(), 0);

  private final @Nullable Breaker breaker;
  private final Waits waits;
  private final long begunAt;

  private Permit(@Nullable Breaker breaker, Waits waits, long begunAt) {
    this.breaker = breaker;
    this.waits = waits;
    this.begunAt = begunAt;
  }

  static Permit ask(Settings settings) {
    Breaker breaker = settings.limits().breaker();
    if (breaker == null) {
      return NONE;
    }
    if (!breaker.allows()) {
      throw new CircuitOpenException(breaker.opensIn().orElse(null));
    }
    return new Permit(breaker, settings.waits(), settings.waits().nanoTime());
  }

  void succeeded() {
    tell(told -> told.succeeded(took()));
  }

  void refused(Failure fault) {
    tell(told -> told.failed(took(), new RefusedResultException(fault)));
  }

  void failed(Throwable thrown) {
    Throwable inner = Unwrapping.of(thrown);
    if (inner instanceof InterruptedException
        || inner instanceof ClosedByInterruptException
        || inner instanceof CancellationException) {
      canceled();
    } else {
      tell(told -> told.failed(took(), thrown));
    }
  }

  void canceled() {
    tell(Breaker::canceled);
  }

  private Duration took() {
    return Duration.ofNanos(Math.max(0, waits.nanoTime() - begunAt));
  }

  /** An attempt that went well must not be made again because a breaker cannot count. */
  private void tell(Consumer<Breaker> event) {
    if (breaker == null) {
      return;
    }
    try {
      event.accept(breaker);
    } catch (Throwable e) {
      Complaints.log("a breaker threw when it was told of an attempt", e);
    }
  }
}
