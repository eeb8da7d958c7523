// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.watch;

import dev.perdure.cli.graph.TaskGraph;
import dev.perdure.client.ApiException;
import dev.perdure.client.BatchGraph;
import dev.perdure.client.PerdureClient;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The tasks of one batch. */
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
    StatusCounts counts = StatusCounts.ofBatch(client, batch.toString(), clock);
    if (!readsGraph || counts.total().value() > MAX_GRAPH_TASKS) {
      return counts;
    }
    TaskGraph graph = graph();
    // Dependencies are part of a submission: if there are none now, there never are.
    readsGraph = graph.hasDependencies();
    return readsGraph ? counts.withGraph(graph) : counts;
  }

  private TaskGraph graph() {
    try {
      return TaskGraph.of(client.batches().graph(batch));
    } catch (ApiException e) {
      if (!e.isNotFound()) {
        throw e;
      }
      // Retention has deleted the batch.
      return TaskGraph.of(new BatchGraph(List.of(), List.of(), false));
    }
  }

  @Override
  public boolean noneFailed(StatusCounts counts) {
    return counts.unsuccessful().isZero();
  }
}
