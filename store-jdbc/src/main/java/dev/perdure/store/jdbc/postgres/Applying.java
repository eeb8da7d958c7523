// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of one shard on a connection whose transaction is somebody else's: one statement,
 * a second in the same transaction only when somebody outside is told of a change, and another when
 * some were refused.
 */
final class Applying {

  private static final int MOST_RECORDS = 10;

  private final Session session;
  private final TaskRows rows;
  private final Standing standing;
  private final DeliveryWrites deliveries;

  Applying(Session session, TaskRows rows) {
    this.session = session;
    this.rows = rows;
    this.standing = new Standing(session);
    this.deliveries = new DeliveryWrites(session);
  }

  /**
   * Writes those whose guard holds.
   *
   * @param unsure true when an earlier try may have written them: a change was written then when
   *     the lease that it ends has this very end for its record
   */
  List<Verdict> apply(Connection connection, int shard, List<Change> changes, boolean unsure)
      throws SQLException {
    Answers<Change> answers = new Answers<>(changes, Change::task, Change::task);
    if (changes.stream().allMatch(change -> change.deliveries().isEmpty())) {
      write(connection, shard, answers);
    } else {
      Session.together(
          connection,
          (same, again) -> {
            write(same, shard, answers);
            deliveries.insert(same, shard, answers);
            return true;
          });
    }
    return standing.complete(
        connection, shard, answers, (change, row) -> unsure && wasWritten(connection, change, row));
  }

  /** A change that ends no lease leaves no record; then it is told by how the task stands. */
  private boolean wasWritten(Connection connection, Change change, Standing.Row row)
      throws SQLException {
    return change.note() == null
        ? row.state() == change.to()
            && row.epoch() == change.guard().epoch()
            && row.attempt() == change.counting().attempt()
        : isRecorded(connection, change);
  }

  private boolean isRecorded(Connection connection, Change change) throws SQLException {
    try (Call call = session.call(connection, "attempt.of_task")) {
      call.count("shard", Shards.of(change.task())).count("limit", MOST_RECORDS);
      Params.uuid(call, "id", change.task());
      ResultSet found = call.query();
      while (found.next()) {
        Attempt record = rows.attempt(found);
        if (record.epoch() == change.guard().epoch()) {
          return record.note().equals(change.note());
        }
      }
      return false;
    }
  }

  private void write(Connection connection, int shard, Answers<Change> answers)
      throws SQLException {
    List<Integer> places = answers.places();
    try (Call call = session.call(connection, "task_state.apply")) {
      Params.instant(call, "now", session.settings().now());
      call.count("shard", shard);
      Params.array(call, "places", "int4", places, place -> place);
      List<Change> changes = places.stream().map(answers::item).toList();
      bindGuards(call, changes);
      bindNumbers(call, changes);
      bindNotes(call, changes);
      answers.done(call.query());
    }
  }

  private static void bindGuards(Call call, List<Change> changes) throws SQLException {
    Params.array(call, "ids", "uuid", changes, Change::task);
    texts(call, "priors", changes, change -> change.guard().from().text());
    numbers(call, "epochs", changes, change -> change.guard().epoch());
    numbers(call, "at_attempts", changes, change -> change.guard().attempt());
    texts(call, "workers", changes, change -> change.guard().worker());
    Params.array(call, "inactives", "bool", changes, change -> change.guard().inactive());
    texts(call, "nexts", changes, change -> change.to().text());
  }

  private static void bindNumbers(Call call, List<Change> changes) throws SQLException {
    numbers(call, "dues_in_ms", changes, change -> dueIn(change.due()));
    Params.array(call, "dues_at", "timestamptz", changes, change -> Params.dueAt(change.due()));
    numbers(call, "attempts", changes, change -> change.counting().attempt());
    Params.array(call, "losses", "int4", changes, change -> change.counting().losses());
    numbers(call, "retry_bases", changes, change -> change.counting().retryBase());
    numbers(
        call,
        "prev_delays_ms",
        changes,
        change -> Lengths.millisOrNull(change.counting().previousDelay()));
    Params.array(call, "hold_sets", "int4", changes, change -> change.holding().set());
    Params.array(call, "hold_clears", "int4", changes, change -> change.holding().clear());
    texts(
        call,
        "reasons",
        changes,
        change -> change.reason() == null ? null : change.reason().text());
    Params.array(call, "anews", "bool", changes, Change::countsAnew);
    // Null but for those few: where there are none, no array is sent.
    Params.array(call, "entrusts", "bool", changes, change -> change.entrusts() ? true : null);
    texts(call, "cancel_actions", changes, Change::cancelAction);
    numbers(call, "successes", changes, change -> orNull(change.tally().success()));
    numbers(call, "failed", changes, change -> orNull(change.tally().failures()));
  }

  private static void bindNotes(Call call, List<Change> changes) throws SQLException {
    notes(call, "outcomes", changes, note -> note.outcome().text());
    notes(call, "failure_kinds", changes, AttemptNote::failureKind);
    Params.array(
        call,
        "statuses",
        "int4",
        changes,
        change -> change.note() == null ? null : change.note().status());
    notes(call, "codes", changes, AttemptNote::code);
    notes(call, "messages", changes, AttemptNote::message);
    notes(call, "exception_types", changes, note -> TaskRows.types(note.exceptionTypes()));
    notes(call, "stacks", changes, AttemptNote::stack);
    numbers(
        call,
        "delays_ms",
        changes,
        change -> change.note() == null ? null : Lengths.millisOrNull(change.note().delay()));
    notes(call, "results", changes, AttemptNote::result);
  }

  private static @Nullable Long orNull(long added) {
    return added == 0 ? null : (Long) added;
  }

  private static @Nullable Long dueIn(Due due) {
    return due instanceof Due.In in ? Lengths.millis(in.delay()) : null;
  }

  private static void numbers(
      Call call, String parameter, List<Change> changes, Function<Change, @Nullable Long> value)
      throws SQLException {
    Params.array(call, parameter, "int8", changes, value::apply);
  }

  private static void texts(
      Call call, String parameter, List<Change> changes, Function<Change, @Nullable String> value)
      throws SQLException {
    Params.array(call, parameter, "text", changes, change -> Params.text(value.apply(change)));
  }

  private static void notes(
      Call call,
      String parameter,
      List<Change> changes,
      Function<AttemptNote, @Nullable String> value)
      throws SQLException {
    texts(
        call,
        parameter,
        changes,
        change -> change.note() == null ? null : value.apply(change.note()));
  }
}
