// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import dev.perdure.client.ApiException;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TransportException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * A worker as one would write it in any language: it asks for tasks over HTTP and says how it went.
 */
final class ResizeWorker implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(ResizeWorker.class);
  private static final String CLAIM =
      "{\"worker\": \"resizer\", \"kinds\": [\"resize-image\"], \"limit\": 5, \"wait\": \"2s\"}";

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final PerdureClient perdureClient;
  private final RandomGenerator random;

  ResizeWorker(PerdureClient perdureClient, RandomGenerator random) {
    this.perdureClient = perdureClient;
    this.random = random;
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        for (JsonNode task : perdureClient.send("POST", "/task/claim", CLAIM).json()) {
          settle(task);
        }
      } catch (TransportException | ApiException e) {
        // A task that was canceled meanwhile, a server that is busy: the next ones go on.
        LOG.debug("not claimed or not settled", e);
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void settle(JsonNode task) {
    String how =
        random.nextInt(4) == 0
            ? "\"Failure\", \"failure_code\": \"out_of_memory\", \"failure_reason\": \"too large\""
            : "\"Success\", \"result\": {\"bytes\": 51200}";
    perdureClient.send(
        "PATCH",
        "/task/" + task.path("id").asString(),
        "{\"status\": %s, \"epoch\": %d}".formatted(how, task.path("epoch").asLong()));
  }
}
