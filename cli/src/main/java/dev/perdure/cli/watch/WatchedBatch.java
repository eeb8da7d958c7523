// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.watch;

import dev.perdure.cli.graph.TaskGraph;
import dev.perdure.client.PerdureClient;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** The tasks of the current run of one batch. */
final class WatchedBatch implements WatchedTasks {

  /** The graph of a larger batch is too much to read again and again. */
  private static final long MAX_GRAPH_TASKS = 2_000;

  private final PerdureClient client;
  private final UUID batch;
  private boolean readsGraph;

  WatchedBatch(PerdureClient client, UUID batch, boolean readsGraph) {
    this.client = client;
    this.batch = batch;
    this.readsGraph = readsGraph;
  }

  @Override
  public StatusCounts count(Instant clock) {
    StatusCounts counts =
        StatusCounts.ofBatch(client, client.get("/batch/" + batch, Map.of()), clock);
    if (!readsGraph || counts.total().value() > MAX_GRAPH_TASKS) {
      return counts;
    }
    TaskGraph graph = TaskGraph.of(client.batches().graph(batch));
    // Dependencies are part of a submission: if there are none now, there never are.
    readsGraph = graph.hasDependencies();
    return readsGraph ? counts.withGraph(graph) : counts;
  }

  @Override
  public boolean noneFailed(StatusCounts counts) {
    return counts.unsuccessful().isZero();
  }
}
