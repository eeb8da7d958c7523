// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.AttemptRow;
import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.ErrorGroups;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.query.TaskRelations;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StoreGaugesTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final FixedBacklogReader store = new FixedBacklogReader();

  @Test
  void gauges_are_registered_while_the_store_is_unavailable() {
    store.unavailable = true;
    StoreGauges gauges = StoreGauges.bind(store, registry);
    assertThat(value("pending")).isNaN();

    gauges.refresh();
    assertThat(value("pending")).isNaN();
    store.unavailable = false;
    gauges.refresh();
    assertThat(value("pending")).isEqualTo(7);
  }

  @Test
  void gauges_show_live_states_and_pending_retries_only() {
    StoreGauges.bind(store, registry).refresh();

    assertThat(value("pending")).isEqualTo(7);
    assertThat(value("running")).isZero();
    assertThat(registry.get("perdure.retries.pending").gauge().value()).isEqualTo(3);
    assertThat(registry.find("perdure.tasks.by.status").tag("status", "success").gauge()).isNull();
  }

  @Test
  void gauges_become_nan_when_the_store_becomes_unavailable() {
    StoreGauges gauges = StoreGauges.bind(store, registry);
    gauges.refresh();
    store.unavailable = true;
    gauges.refresh();

    assertThat(value("pending")).isNaN();
    assertThat(registry.get("perdure.retries.pending").gauge().value()).isNaN();
  }

  private double value(String status) {
    return registry.get("perdure.tasks.by.status").tag("status", status).gauge().value();
  }

  /**
   * Returns a fixed backlog, or fails as unavailable. Its statistics always fail: they take too
   * long.
   */
  private static final class FixedBacklogReader implements TaskReader {

    private boolean unavailable;

    @Override
    public Backlog backlog() {
      if (unavailable) {
        throw new StoreException("unavailable", null, StoreException.ErrorKind.UNAVAILABLE);
      }
      return new Backlog(Map.of(DisplayStatus.PENDING, 7L), 4, 3, Map.of("a", 7L));
    }

    @Override
    public StoreStatistics statistics() {
      throw new StoreException(
          "statistics take too long", null, StoreException.ErrorKind.UNAVAILABLE);
    }

    @Override
    public ErrorGroups errors(ErrorQuery query) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RetryWave retryWave(RetryWaveQuery query) {
      throw new StoreException(
          "the retry wave takes too long", null, StoreException.ErrorKind.UNAVAILABLE);
    }

    @Override
    public List<AttemptRow> attemptRows(UUID id, long before, int limit) {
      return List.of();
    }

    @Override
    public Optional<Attempt> attempt(UUID id, long epoch) {
      return Optional.empty();
    }

    @Override
    public TaskRelations relations(UUID id) {
      return TaskRelations.NONE;
    }

    @Override
    public Optional<Task> find(UUID id) {
      return Optional.empty();
    }

    @Override
    public Optional<UUID> findByDedupeKey(int shard, String key) {
      return Optional.empty();
    }

    @Override
    public List<Attempt> attempts(UUID id, int limit) {
      return List.of();
    }

    @Override
    public TaskPage list(TaskFilter filter, TaskSort sort, PageRequest page) {
      return new TaskPage(List.of(), null);
    }

    @Override
    public TaskCount count(TaskFilter filter, int limit, ScanLimit scanLimit) {
      return new TaskCount(0, true);
    }
  }
}
