// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.demo;

import java.io.IOException;
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

  private final Api api;
  private final RandomGenerator random;

  Resizer(Api api, RandomGenerator random) {
    this.api = api;
    this.random = random;
  }

  @Override
  public void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        for (JsonNode task : api.post("/task/claim", CLAIM)) {
          settle(task);
        }
      }
    } catch (IOException e) {
      LOG.debug("the server has gone", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void settle(JsonNode task) throws IOException, InterruptedException {
    String how =
        random.nextInt(4) == 0
            ? "\"Failure\", \"failure_code\": \"out_of_memory\", \"failure_reason\": \"too large\""
            : "\"Success\", \"result\": {\"bytes\": 51200}";
    api.patch(
        "/task/" + task.path("id").asString(),
        "{\"status\": %s, \"epoch\": %d}".formatted(how, task.path("epoch").asLong()));
  }
}
