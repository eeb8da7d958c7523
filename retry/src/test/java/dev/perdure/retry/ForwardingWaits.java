// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.time.Instant;

/** Other waits, for a test that changes one thing about them. */
class ForwardingWaits implements Waits {

  private final Waits waits;

  ForwardingWaits(Waits waits) {
    this.waits = waits;
  }

  @Override
  public long nanoTime() {
    return waits.nanoTime();
  }

  @Override
  public Instant now() {
    return waits.now();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    waits.sleep(duration);
  }

  @Override
  public Cancellable schedule(Runnable task, Duration delay) {
    return waits.schedule(task, delay);
  }
}
