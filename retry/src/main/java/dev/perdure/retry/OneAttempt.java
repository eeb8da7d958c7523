// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One attempt on the caller's thread, between the breaker and the clock. */
final class OneAttempt<T extends @Nullable Object, X extends Exception> {

  private final Settings settings;
  private final Course course;
  private final ContextCall<T, X> call;

  OneAttempt(Settings settings, Course course, ContextCall<T, X> call) {
    this.settings = settings;
    this.course = course;
    this.call = call;
  }

  T make() throws X {
    Breaker breaker = settings.limits().breaker();
    if (breaker == null) {
      return timed();
    }
    if (!breaker.allows()) {
      throw new CircuitOpenException(breaker.opensIn().orElse(null));
    }
    long begun = settings.waits().nanoTime();
    try {
      T result = timed();
      breaker.succeeded(since(begun));
      return result;
    } catch (Throwable thrown) {
      breaker.failed(since(begun), thrown);
      throw Sneaky.<X>as(thrown);
    }
  }

  private Duration since(long begun) {
    return Duration.ofNanos(Math.max(0, settings.waits().nanoTime() - begun));
  }

  private T timed() throws X {
    Duration limit = settings.limits().attempt();
    if (limit == null) {
      return call.call(course);
    }
    AttemptDeadline deadline = new AttemptDeadline(settings.waits(), limit);
    T result;
    try {
      result = call.call(course);
    } catch (Throwable thrown) {
      if (deadline.end()) {
        throw new AttemptTimeoutException(limit, thrown);
      }
      throw Sneaky.<X>as(thrown);
    }
    deadline.end();
    return result;
  }
}
