// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.time.Instant;

/** Other waits, for a test that changes one thing about them. */
class ForwardingTimeProvider implements TimeProvider {

  private final TimeProvider delegate;

  ForwardingTimeProvider(TimeProvider timeProvider) {
    this.delegate = timeProvider;
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
