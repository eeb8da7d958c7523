// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.BatchPage;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunDecision;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Forwards every call. Subclasses override some of them. */
public class ForwardingBatchStore implements BatchStore {

  protected final BatchStore inner;

  protected ForwardingBatchStore(BatchStore inner) {
    this.inner = inner;
  }

  @Override
  public boolean markStopped(UUID batch) {
    return inner.markStopped(batch);
  }

  @Override
  public List<CompletedRun> completedRuns(int limit) {
    return inner.completedRuns(limit);
  }

  @Override
  public boolean endRun(RunDecision decision) {
    return inner.endRun(decision);
  }

  @Override
  public List<DueRun> dueRuns(int limit) {
    return inner.dueRuns(limit);
  }

  @Override
  public int startRun(DueRun run, Supplier<UUID> ids) {
    return inner.startRun(run, ids);
  }

  @Override
  public boolean runAgain(DueRun run) {
    return inner.runAgain(run);
  }

  @Override
  public Optional<BatchSummary> find(UUID batch) {
    return inner.find(batch);
  }

  @Override
  public Optional<BatchDefinition> definition(UUID batch) {
    return inner.definition(batch);
  }

  @Override
  public Optional<Integer> currentRun(UUID batch) {
    return inner.currentRun(batch);
  }

  @Override
  public Optional<UUID> firstFailed(UUID batch, int run) {
    return inner.firstFailed(batch, run);
  }

  @Override
  public BatchPage list(BatchFilter filter, PageRequest page) {
    return inner.list(filter, page);
  }

  @Override
  public TaskCount count(BatchFilter filter, int limit) {
    return inner.count(filter, limit);
  }

  @Override
  public List<Dependency> dependencies(UUID batch, @Nullable Integer run, int limit) {
    return inner.dependencies(batch, run, limit);
  }

  @Override
  public List<ParentTask> parents(UUID task, @Nullable UUID after, int limit, int maxResultBytes) {
    return inner.parents(task, after, limit, maxResultBytes);
  }

  @Override
  public Map<String, ParentTask> namedParents(UUID task, Set<String> names) {
    return inner.namedParents(task, names);
  }
}
