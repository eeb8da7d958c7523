// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import dev.perdure.client.ApiException;
import dev.perdure.client.ClaimOptions;
import dev.perdure.client.ClaimedTask;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TransportException;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A remote worker: claims tasks over HTTP, and reports how each attempt ended. */
final class ResizeWorker implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(ResizeWorker.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final ClaimOptions CLAIM =
      ClaimOptions.of("resizer", "resize-image").withLimit(5).withMaxWait(Duration.ofSeconds(2));

  private final PerdureClient client;
  private final RandomGenerator random;

  ResizeWorker(PerdureClient client, RandomGenerator random) {
    this.client = client;
    this.random = random;
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        client.claim(CLAIM).forEach(this::settle);
      } catch (TransportException | ApiException e) {
        // The task was canceled, or the server is busy or stopping: go on with the next ones.
        LOG.debug("could not claim or settle", e);
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void settle(ClaimedTask task) {
    if (random.nextInt(4) == 0) {
      client.fail(
          task.attempt(), Failure.explicit("out_of_memory").withMessage("the image is too large"));
    } else {
      client.succeed(task.attempt(), Map.of("bytes", 51_200));
    }
  }
}
