// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads and changes whole batches; see {@link PerdureClient#batches}. Thread-safe. */
public final class BatchClient {

  private final PerdureClient client;

  BatchClient(PerdureClient client) {
    this.client = client;
  }

  /** The batch with its statistics and runs. */
  public BatchInfo get(UUID batch) {
    return client.get("/batch/" + batch, Map.of()).read(BatchInfo::of);
  }

  /** The same; empty when there is no such batch. */
  public Optional<BatchInfo> find(UUID batch) {
    return PerdureClient.find(() -> get(batch));
  }

  /** One page of batches. */
  public Page<BatchInfo> list(BatchSearch search) {
    return client.get("/batches", search.parameters()).page(BatchInfo::of);
  }

  /** The tasks of the current run and their dependencies. */
  public BatchGraph graph(UUID batch) {
    return client.get("/dag/" + batch, Map.of()).read(BatchGraph::of);
  }

  /** Cancels every live task, even while it runs. Repeating it is safe. */
  public BatchStopResponse stop(UUID batch) {
    return client.send("DELETE", "/batch/" + batch, null).read(BatchStopResponse::of);
  }

  /**
   * Gives the live tasks of one kind in the batch other limits; none removes them.
   *
   * @return the number of live tasks of that kind
   */
  public int changeLimits(UUID batch, String kind, LimitRequest... limits) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("kind", kind);
    ArrayNode rules = body.putArray("rules");
    for (LimitRequest limit : limits) {
      rules.add(limit.toJson());
    }
    return client
        .send("PATCH", "/batch/%s/rules".formatted(batch), body)
        .read(json -> json.get("updated_count").intValue());
  }

  /** Runs the failed tasks of the current run again. A conflict while the batch is live. */
  public BatchRetryResponse retry(UUID batch) {
    return retry(batch, null);
  }

  /** Runs the whole batch again as a new run. A conflict while the batch is live. */
  public BatchRetryResponse runAgain(UUID batch) {
    return retry(batch, JsonNodeFactory.instance.objectNode().put("run", "new"));
  }

  /**
   * The same, if the batch is at this run; see {@link BatchInfo#run}. You can repeat it when its
   * answer was lost: there is only one new run.
   */
  public BatchRetryResponse runAgain(UUID batch, int expectedRun) {
    return retry(
        batch,
        JsonNodeFactory.instance.objectNode().put("run", "new").put("expected_run", expectedRun));
  }

  private BatchRetryResponse retry(UUID batch, @Nullable JsonNode body) {
    return client
        .send("POST", "/batch/%s/retry".formatted(batch), body)
        .read(BatchRetryResponse::of);
  }
}
