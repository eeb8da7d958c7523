// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.Facets;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds tasks on a connection whose transaction is somebody else's. */
final class Submitting {

  /** So many rows go in one statement; a larger submission is several, in one transaction. */
  static final int CHUNK = 2_000;

  private static final int SMALL = 100;

  private final Session session;
  private final PastWrites pasts;

  Submitting(Session session) {
    this.session = session;
    this.pasts = new PastWrites(session);
  }

  /** Adds them all or none; also on a connection that commits each statement. */
  Receipt submitTogether(Connection connection, Submission submission) throws SQLException {
    boolean single = submission.tasks().size() <= CHUNK && submission.key() == null;
    if (single && submission.tasks().stream().allMatch(row -> row.past() == null)) {
      submit(connection, submission);
      return Receipt.stored(submission);
    }
    return Session.together(connection, (same, unsure) -> submitUnderKey(same, submission));
  }

  private Receipt submitUnderKey(Connection connection, Submission submission) throws SQLException {
    Submission.Key key = submission.key();
    if (key != null && !takes(connection, key, submission.batch())) {
      return taken(connection, key, submission);
    }
    submit(connection, submission);
    return Receipt.stored(submission);
  }

  private boolean takes(Connection connection, Submission.Key key, UUID batch) throws SQLException {
    try (Call call = session.call(connection, "submission_key.take")) {
      Params.instant(call, "now", session.settings().now());
      Params.uuid(call, "batch", batch);
      return call.count("shard", Shards.of(batch))
              .text("id", key.id())
              .text("content", key.content())
              .number("kept_ms", Lengths.millis(Submission.KEY_KEPT))
              .update()
          == 1;
    }
  }

  private Receipt taken(Connection connection, Submission.Key key, Submission submission)
      throws SQLException {
    try (Call call = session.call(connection, "submission_key.find")) {
      ResultSet row =
          call.count("shard", Shards.of(submission.batch())).text("id", key.id()).query();
      row.next();
      return Receipt.taken(
          submission, row.getObject("batch", UUID.class), row.getString("content"));
    }
  }

  private void submit(Connection connection, Submission submission) throws SQLException {
    List<NewRow> rows = submission.tasks();
    for (int from = 0; from < rows.size(); from += CHUNK) {
      List<NewRow> chunk = rows.subList(from, Math.min(rows.size(), from + CHUNK));
      List<UUID> batches = Collections.nCopies(chunk.size(), submission.batch());
      if (insert(connection, List.of(submission), from, batches, chunk) == 0) {
        return; // It was submitted before.
      }
      pasts.insert(connection, chunk);
    }
  }

  /** Adds small ones of one shard that have neither key nor past, in one statement. */
  void submitAll(Connection connection, List<Submission> submissions) throws SQLException {
    List<UUID> batches = new ArrayList<>();
    List<NewRow> rows = new ArrayList<>();
    // In the order of their ids, so that two who repeat the same ones do not wait for each other.
    List<Submission> sorted =
        submissions.stream().sorted(Comparator.comparing(Submission::batch)).toList();
    for (Submission submission : sorted) {
      batches.addAll(Collections.nCopies(submission.tasks().size(), submission.batch()));
      rows.addAll(submission.tasks());
    }
    insert(connection, sorted, 0, batches, rows);
  }

  /** True for what may be written together with others. */
  static boolean isSmall(Submission submission) {
    return submission.key() == null
        && submission.tasks().size() <= SMALL
        && submission.tasks().stream().allMatch(row -> row.past() == null);
  }

  private int insert(
      Connection connection,
      List<Submission> submissions,
      int from,
      List<UUID> batches,
      List<NewRow> rows)
      throws SQLException {
    try (Call call = session.call(connection, "task_state.insert")) {
      Params.instant(call, "now", session.settings().now());
      call.count("shard", Shards.of(submissions.getFirst().batch()));
      Params.array(call, "batches", "uuid", submissions, Submission::batch);
      Params.array(call, "sizes", "int4", submissions, submission -> submission.tasks().size());
      call.count("from", from);
      Params.array(call, "of_batches", "uuid", batches, batch -> batch);
      bind(call, rows);
      bindPasts(call, rows);
      return call.update();
    }
  }

  private static void bind(Call call, List<NewRow> rows) throws SQLException {
    Params.array(call, "ids", "uuid", rows, NewRow::id);
    texts(call, "kinds", rows, row -> row.definition().kind());
    texts(call, "names", rows, row -> row.definition().name());
    texts(call, "payloads", rows, row -> row.definition().payload());
    texts(call, "metadata", rows, row -> row.definition().metadata());
    texts(call, "facets", rows, row -> Facets.kept(row.definition().metadata()));
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
