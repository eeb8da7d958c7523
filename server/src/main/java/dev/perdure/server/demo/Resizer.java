// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.demo;

import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.client.NoAnswerException;
import dev.perdure.server.cli.client.RefusedException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * A worker as one would write it in any language: it asks for tasks over HTTP and says how it went.
 */
final class Resizer implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Resizer.class);
  private static final String CLAIM =
      "{\"worker\": \"resizer\", \"kinds\": [\"resize-image\"], \"limit\": 5, \"wait\": \"2s\"}";

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Client client;
  private final RandomGenerator random;

  Resizer(Client client, RandomGenerator random) {
    this.client = client;
    this.random = random;
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        for (JsonNode task : client.send("POST", "/task/claim", CLAIM).json()) {
          settle(task);
        }
      } catch (NoAnswerException | RefusedException e) {
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
    client.send(
        "PATCH",
        "/task/" + task.path("id").asString(),
        "{\"status\": %s, \"epoch\": %d}".formatted(how, task.path("epoch").asLong()));
  }
}
