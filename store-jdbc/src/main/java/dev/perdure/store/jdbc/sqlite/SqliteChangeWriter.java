// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Applies changes and heartbeats in the session's current transaction. */
final class SqliteChangeWriter {

  private final SqliteSession session;
  private final long now;

  SqliteChangeWriter(SqliteSession session, long now) {
    this.session = session;
    this.now = now;
  }

  List<WriteResult> apply(List<TaskChange> changes) throws SQLException {
    List<WriteResult> results = new ArrayList<>(changes.size());
    Set<UUID> tried = new HashSet<>();
    for (TaskChange change : changes) {
      results.add(tried.add(change.task()) ? apply(change) : refused(change.task()));
    }
    return results;
  }

  private WriteResult apply(TaskChange change) throws SQLException {
    byte[] id = SqliteValues.bytes(change.task());
    int shard = Shards.of(change.task());
    AttemptDetails details = change.attemptDetails();
    if (change.resetsRetries() && isDedupeKeyTaken(shard, id)) {
      return refused(change.task());
    }
    if (details != null && insertAttempt(change, details, shard, id) == 0) {
      return refused(change.task());
    }
    CachedStatement update = update(change, shard, id);
    boolean unobserved = update.flag("observed", false).update() == 1;
    if (!unobserved && update.flag("observed", true).update() == 0) {
      return refused(change.task());
    }
    for (NewDelivery delivery : change.deliveries()) {
      insertDelivery(delivery, change.task());
    }
    if (change.waivesDependencies()) {
      session.statement("dependency.waive").number("shard", shard).bytes("child", id).update();
    }
    return unobserved ? WriteResult.written() : recordEvents(change, shard, id);
  }

  private boolean isDedupeKeyTaken(int shard, byte[] id) throws SQLException {
    return session
        .statement("dedupe.is_dedupe_key_taken")
        .number("shard", shard)
        .bytes("id", id)
        .one(row -> row.getBoolean("taken"))
        .orElse(false);
  }

  /** Records the events of a task that something observes, or that has limits. */
  private WriteResult recordEvents(TaskChange change, int shard, byte[] id) throws SQLException {
    LimitEventWriter limits = new LimitEventWriter(session, now);
    LimitEventWriter.LimitedTask task = limits.find(change.task());
    boolean observed = task.observed() && change.endsOrRevives();
    if (observed) {
      session
          .statement("propagation_event.insert")
          .number("now", now)
          .number("shard", shard)
          .bytes("task", id)
          .update();
    }
    boolean freed = change.guard().from().isLeased() && !change.to().isLeased();
    boolean limited = !task.limits().isEmpty() && (freed || task.waits());
    if (limited) {
      limits.changed(change.task(), task, freed);
    }
    return WriteResult.written(observed, limited);
  }

  /** Returns the number of inserted rows, which is 0 if the task does not exist. */
  int insertDelivery(NewDelivery delivery, UUID task) throws SQLException {
    return session
        .statement("delivery.insert")
        .number("now", now)
        .number("shard", Shards.of(task))
        .id("id", delivery.id())
        .id("task", task)
        .text("trigger", delivery.message().trigger())
        .text("request", delivery.message().request())
        .update();
  }

  private int insertAttempt(TaskChange change, AttemptDetails details, int shard, byte[] id)
      throws SQLException {
    CachedStatement insert = session.statement("attempt.insert");
    return guarded(insert, change, shard, id)
        .flag("claimable", change.to().isClaimable())
        .text("worker", change.guard().worker())
        .text("outcome", details.outcome().text())
        .text("failure_kind", details.failureKind())
        .number("status", details.status())
        .text("code", details.code())
        .text("message", details.message())
        .text("exception_types", TaskRowMapper.types(details.exceptionTypes()))
        .text("stack", details.stack())
        .number("delay_ms", SqliteValues.millis(details.delay()))
        .text("result", details.result())
        .update();
  }

  /**
   * The update of a task that nothing observes, or of one that something observes. Trying one after
   * the other is cheaper than a RETURNING clause, for which SQLite builds a temporary table.
   */
  private CachedStatement update(TaskChange change, int shard, byte[] id) throws SQLException {
    DependencyCounts dependencies = change.guard().dependencies();
    AttemptDetails details = change.attemptDetails();
    CachedStatement update = session.statement("task_state.apply");
    return guarded(update, change, shard, id)
        .text("to_state", change.to().text())
        .number("hold_set", HoldReason.bits(change.holdChange().set()))
        .number("hold_clear", HoldReason.bits(change.holdChange().clear()))
        .number("attempt", change.retryCounters().attempt())
        .number("losses", change.retryCounters().losses())
        .number("retry_base", change.retryCounters().retryBase())
        .number("prev_delay_ms", SqliteValues.millis(change.retryCounters().previousDelay()))
        .flag("restarts_expiry", change.restartsExpiry())
        .flag("leased", change.to().isLeased())
        .flag("starts", change.event() == TaskEvent.START)
        .flag("hands_off", change.handsOff())
        .text("cancel_action", change.cancelAction())
        .flag("ended", change.to().isTerminal())
        .text("outcome", details == null ? null : details.outcome().text())
        .text("failure_kind", details == null ? null : details.failureKind())
        .text("error", change.error())
        .text("give_up_reason", change.giveUpReason() == null ? null : change.giveUpReason().text())
        .flag("waives", change.waivesDependencies())
        .number("expected_unmet", dependencies == null ? null : (Long) (long) dependencies.unmet())
        .number(
            "expected_unmet_failed",
            dependencies == null ? null : (Long) (long) dependencies.failed());
  }

  private CachedStatement guarded(
      CachedStatement statement, TaskChange change, int shard, byte[] id) throws SQLException {
    return due(statement, change.due())
        .number("now", now)
        .number("shard", shard)
        .bytes("id", id)
        .text("from_state", change.guard().from().text())
        .number("epoch", change.guard().epoch())
        .number("expected_attempt", change.guard().attempt())
        .flag("require_inactive", change.guard().inactive())
        .flag(
            "lost",
            change.attemptDetails() != null
                && change.attemptDetails().outcome() == AttemptOutcome.LOST)
        .number("success", change.counterDelta().success())
        .number("failures", change.counterDelta().failures());
  }

  static CachedStatement due(CachedStatement statement, DueTime dueTime) throws SQLException {
    @Nullable Long inMs = dueTime instanceof DueTime.In in ? SqliteValues.millis(in.delay()) : null;
    @Nullable Long at =
        dueTime instanceof DueTime.At instant ? SqliteValues.millis(instant.instant()) : null;
    return statement.number("due_in_ms", inMs).number("due_at", at);
  }

  /** Records a heartbeat if the lease is still current. */
  WriteResult heartbeat(Heartbeat heartbeat) throws SQLException {
    LeaseKey key = heartbeat.key();
    int written =
        session
            .statement("lease.heartbeat")
            .number("now", now)
            .number("shard", Shards.of(key.task()))
            .id("id", key.task())
            .number("epoch", key.epoch())
            .number("success", heartbeat.success())
            .number("expected_count", heartbeat.expected())
            .number("lease_ms", SqliteValues.millis(heartbeat.lease()))
            .update();
    return written == 0 ? refused(key.task()) : WriteResult.written();
  }

  /** Returns a refusal with the task's current state and epoch. */
  WriteResult refused(UUID task) throws SQLException {
    return session
        .statement("task_state.current_state")
        .number("shard", Shards.of(task))
        .id("id", task)
        .one(
            row ->
                WriteResult.refused(
                    TaskState.of(row.getString("state")).orElseThrow(), row.getLong("epoch")))
        .orElse(WriteResult.notFound());
  }
}
