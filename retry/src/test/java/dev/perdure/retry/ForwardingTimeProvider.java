// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.time.Instant;

/** Delegates to another time provider; a test overrides single methods. */
class ForwardingTimeProvider implements TimeProvider {

  private final TimeProvider delegate;

  ForwardingTimeProvider(TimeProvider delegate) {
    this.delegate = delegate;
  }

  @Override
  public long nanoTime() {
    return delegate.nanoTime();
  }

  @Override
  public Instant now() {
    return delegate.now();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    delegate.sleep(duration);
  }

  @Override
  public Cancellable schedule(Runnable task, Duration delay) {
    return delegate.schedule(task, delay);
  }
}
