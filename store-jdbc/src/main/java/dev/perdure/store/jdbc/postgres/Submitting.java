// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds tasks on a connection whose transaction is somebody else's. */
final class Submitting {

  /** So many rows go in one statement; a larger submission is several, in one transaction. */
  static final int CHUNK = 2_000;

  private final Session session;
  private final PastWrites pasts;

  Submitting(Session session) {
    this.session = session;
    this.pasts = new PastWrites(session);
  }

  /** Refuses what belongs to a shard that the store does not have, or to several. */
  void check(Submission submission) {
    int shards = session.settings().shards();
    int shard = Shards.of(submission.batch());
    if (shard >= shards) {
      throw new IllegalArgumentException(
          "batch %s is of shard %d, the store has %d".formatted(submission.batch(), shard, shards));
    }
    for (NewRow row : submission.tasks()) {
      if (Shards.of(row.id()) != shard) {
        throw new IllegalArgumentException(
            "task %s is of shard %d, its batch of %d"
                .formatted(row.id(), Shards.of(row.id()), shard));
      }
    }
  }

  /** Adds them all or none; also on a connection that commits each statement. */
  void submitTogether(Connection connection, Submission submission) throws SQLException {
    boolean single = submission.tasks().size() <= CHUNK;
    if (single && submission.tasks().stream().allMatch(row -> row.past() == null)) {
      submit(connection, submission);
    } else {
      Session.together(
          connection,
          (same, unsure) -> {
            submit(same, submission);
            return true;
          });
    }
  }

  private void submit(Connection connection, Submission submission) throws SQLException {
    List<NewRow> rows = submission.tasks();
    for (int from = 0; from < rows.size(); from += CHUNK) {
      List<NewRow> chunk = rows.subList(from, Math.min(rows.size(), from + CHUNK));
      try (Call call = session.call(connection, "task_state.insert")) {
        Params.instant(call, "now", session.settings().now());
        call.count("shard", Shards.of(submission.batch()));
        Params.uuid(call, "batch", submission.batch());
        call.count("size", rows.size());
        call.count("from", from);
        bind(call, chunk);
        bindPasts(call, chunk);
        if (call.update() == 0) {
          return; // It was submitted before.
        }
      }
      pasts.insert(connection, chunk);
    }
  }

  private static void bind(Call call, List<NewRow> rows) throws SQLException {
    Params.array(call, "ids", "uuid", rows, NewRow::id);
    texts(call, "kinds", rows, row -> row.definition().kind());
    texts(call, "names", rows, row -> row.definition().name());
    texts(call, "payloads", rows, row -> row.definition().payload());
    texts(call, "metadata", rows, row -> row.definition().metadata());
    texts(call, "policies", rows, row -> row.definition().policy());
    texts(call, "strategies", rows, row -> row.definition().strategy());
    Params.array(
        call, "timeouts_ms", "int8", rows, row -> Lengths.millisOrNull(row.definition().timeout()));
    Params.array(
        call,
        "deadlines_at",
        "timestamptz",
        rows,
        row -> Params.instantText(row.definition().deadline()));
    Params.array(call, "priorities", "int4", rows, row -> row.definition().priority());
    texts(call, "idempotency_keys", rows, row -> row.definition().idempotencyKey());
    texts(call, "local_ids", rows, row -> row.definition().localId());
    texts(call, "lanes", rows, row -> row.definition().lane());
    texts(call, "actions", rows, row -> row.definition().actions());
    texts(call, "traces", rows, row -> row.definition().wiring().traceText());
    Params.array(call, "expected_counts", "int8", rows, NewRow::expectedCount);
    Params.array(call, "dues_in_ms", "int8", rows, row -> dueIn(row.due()));
    Params.array(call, "dues_at", "timestamptz", rows, row -> Params.dueAt(row.due()));
  }

  /** All null but the first three for a task that nobody has tried yet. */
  private static void bindPasts(Call call, List<NewRow> rows) throws SQLException {
    texts(call, "states", rows, row -> row.state().text());
    Params.array(call, "epochs", "int8", rows, NewRow::epoch);
    Params.array(call, "attempts", "int8", rows, row -> row.counting().attempt());
    Params.array(
        call,
        "prev_delays_ms",
        "int8",
        rows,
        row -> Lengths.millisOrNull(row.counting().previousDelay()));
    texts(
        call,
        "failure_kinds",
        rows,
        row -> row.past() == null ? null : row.past().last().note().failureKind());
    Params.array(
        call,
        "ages_ms",
        "int8",
        rows,
        row -> row.past() == null ? null : Lengths.millis(row.past().age()));
    Params.array(
        call,
        "started_ago_ms",
        "int8",
        rows,
        row -> row.past() == null ? null : Lengths.millis(row.past().last().startedAgo()));
  }

  private static long dueIn(Due due) {
    return due instanceof Due.In in ? Lengths.millis(in.delay()) : 0;
  }

  private static void texts(
      Call call, String parameter, List<NewRow> rows, Function<NewRow, @Nullable String> value)
      throws SQLException {
    Params.array(call, parameter, "text", rows, row -> Params.text(value.apply(row)));
  }
}
