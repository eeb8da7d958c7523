// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.Deduplication.KeyHolder;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds and replaces the live tasks that have given dedupe keys. */
final class SqliteKeyHolders {

  private final SqliteSession session;
  private final long now;

  SqliteKeyHolders(SqliteSession session, long now) {
    this.session = session;
    this.now = now;
  }

  /** Returns the live tasks that have these keys, by key. */
  Map<String, KeyHolder> find(int shard, Collection<String> keys) throws SQLException {
    Map<String, KeyHolder> found = new HashMap<>();
    for (String key : keys) {
      find(shard, key).ifPresent(holder -> found.put(key, holder));
    }
    return found;
  }

  Optional<KeyHolder> find(int shard, String key) throws SQLException {
    return session
        .statement("dedupe.holders")
        .number("shard", shard)
        .text("key", key)
        .one(
            row ->
                new KeyHolder(
                    SqliteValues.uuid(row.getBytes("id")),
                    SqliteValues.uuid(row.getBytes("batch")),
                    TaskState.of(row.getString("state")).orElseThrow(),
                    row.getBoolean("may_run_again")));
  }

  boolean isStored(UUID batch) throws SQLException {
    return session
        .statement("dedupe.is_stored")
        .number("shard", Shards.of(batch))
        .id("id", batch)
        .one(row -> row.getBoolean("stored"))
        .orElse(false);
  }

  /** Returns which tasks of a stored submission are duplicates; null when none is. */
  @Nullable String deduplicated(Submission submission) throws SQLException {
    return session
        .statement("submission_key.find")
        .number("shard", Shards.of(submission.batch()))
        .text("id", submission.receiptKey().id())
        .one(row -> Optional.ofNullable(row.getString("deduplicated")))
        .flatMap(text -> text)
        .orElse(null);
  }

  /** Replaces those of these tasks that have never been claimed. */
  void replace(Map<UUID, NewTaskRow> replacements) throws SQLException {
    for (Map.Entry<UUID, NewTaskRow> entry : replacements.entrySet()) {
      replace(entry.getKey(), entry.getValue());
    }
  }

  private void replace(UUID id, NewTaskRow row) throws SQLException {
    int shard = Shards.of(id);
    TaskDefinition task = row.definition();
    CachedStatement due =
        session.statement("dedupe.replace").number("now", now).number("shard", shard);
    DueTime dueTime = row.due() instanceof DueTime.Unchanged ? DueTime.now() : row.due();
    if (SqliteChangeWriter.due(due, dueTime).id("id", id).update() == 0) {
      return;
    }
    String key = task.dedupeKey();
    KeyHolder holder = key == null ? null : find(shard, key).orElse(null);
    if (holder == null) {
      return;
    }
    session
        .statement("task.replace")
        .number("shard", shard)
        .id("batch", holder.batch())
        .id("id", id)
        .text("payload", task.payload())
        .text("policy", task.policy())
        .text("policy_as_given", task.policyAsGiven())
        .text("strategy", task.strategy())
        .update();
    LimitEventWriter limits = new LimitEventWriter(session, now);
    LimitEventWriter.LimitedTask limited = limits.find(id);
    if (limited.waits()) {
      limits.changed(id, limited, false);
    }
  }
}
