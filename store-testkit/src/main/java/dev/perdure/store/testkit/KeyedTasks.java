// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.Submission.SubmissionKeyDigest;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shared setup: tasks with dedupe keys, all in one shard. */
abstract class KeyedTasks extends GraphContract {

  static final String KEY = "sync-42";
  static final String SHARED_KIND = "sync";

  final int shard = shards - 1;

  KeyedTasks(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  static TaskDefinition keyed(@Nullable String key) {
    return keyed(key, "{}", null);
  }

  static TaskDefinition keyed(@Nullable String key, String payload, @Nullable String policy) {
    return keyed(SHARED_KIND, key, payload, policy, null);
  }

  static TaskDefinition keyed(
      String kind,
      @Nullable String key,
      String payload,
      @Nullable String policy,
      @Nullable String rules) {
    return new TaskDefinition(
        kind,
        null,
        payload,
        null,
        policy,
        null,
        policy == null ? null : "fixed",
        null,
        null,
        0,
        null,
        null,
        null,
        null,
        null,
        rules,
        key);
  }

  /** A task without a key has a kind of its own, so that it is not claimed in place of another. */
  NewTaskRow row(@Nullable String key) {
    TaskDefinition definition = key == null ? unique().definition() : keyed(key);
    return new NewTaskRow(ids.next(shard), definition, DueTime.now());
  }

  NewTaskRow replacing(TaskDefinition definition, DueTime due) {
    return new NewTaskRow(ids.next(shard), definition, due, null, null, false, true);
  }

  Submission batch(NewTaskRow... rows) {
    return new Submission(ids.next(shard), List.of(rows));
  }

  Submission batch(SubmissionKeyDigest key, NewTaskRow... rows) {
    return new Submission(ids.next(shard), List.of(rows), key);
  }

  /**
   * A batch of tasks with these keys.
   *
   * @param dependencies pairs of indexes, as for {@link #submitGraph}
   */
  Submission graph(BatchDefinition definition, String dependencies, String... keys) {
    List<NewTaskRow> rows =
        IntStream.range(0, keys.length)
            .mapToObj(i -> row(keys[i].isEmpty() ? null : keys[i]))
            .toList();
    List<Dependency> all =
        Stream.of(dependencies.split(" "))
            .filter(pair -> !pair.isEmpty())
            .map(
                pair ->
                    new Dependency(
                        rows.get(pair.charAt(0) - '0').id(),
                        rows.get(pair.charAt(2) - '0').id(),
                        pair.charAt(1) == '>'))
            .toList();
    return new Submission(ids.next(shard), definition, rows, all, null);
  }

  UUID submitKeyed(String key) {
    return store.submit(batch(row(key))).ids().getFirst();
  }

  @Nullable UUID holder(String key) {
    return store.reader().findByDedupeKey(shard, key).orElse(null);
  }

  /** Claims and starts a task, which must be this one. */
  Task start(UUID id) {
    return run(id);
  }

  UUID batchOf(UUID task) {
    return find(task).batch();
  }

  static int shardOf(UUID id) {
    return Shards.of(id);
  }
}
