// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.task.Past;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records the attempts that were made before a task was submitted. */
final class PastWrites {

  private final Session session;

  PastWrites(Session session) {
    this.session = session;
  }

  private record Entry(UUID task, String worker, Past.Failed failed) {}

  /** Writes the records of these tasks of one shard; no statement when there are none. */
  void insert(Connection connection, List<NewRow> rows) throws SQLException {
    List<Entry> all = rows.stream().flatMap(PastWrites::entries).toList();
    for (int from = 0; from < all.size(); from += Submitting.CHUNK) {
      List<Entry> entries = all.subList(from, Math.min(all.size(), from + Submitting.CHUNK));
      try (Call call = session.call(connection, "attempt.insert_past")) {
        Params.instant(call, "now", session.settings().now());
        call.count("shard", Shards.of(entries.getFirst().task()));
        bindNumbers(call, entries);
        bindNotes(call, entries);
        call.update();
      }
    }
  }

  private static Stream<Entry> entries(NewRow row) {
    Past past = row.past();
    return past == null
        ? Stream.empty()
        : past.attempts().stream().map(each -> new Entry(row.id(), past.worker(), each));
  }

  private static void bindNumbers(Call call, List<Entry> entries) throws SQLException {
    Params.array(call, "tasks", "uuid", entries, Entry::task);
    numbers(call, "epochs", entries, Past.Failed::epoch);
    numbers(call, "numbers", entries, Past.Failed::number);
    numbers(call, "started_ago_ms", entries, failed -> Lengths.millis(failed.startedAgo()));
    numbers(call, "ended_ago_ms", entries, failed -> Lengths.millis(failed.endedAgo()));
    numbers(call, "delays_ms", entries, failed -> Lengths.millis(failed.delay()));
  }

  private static void bindNotes(Call call, List<Entry> entries) throws SQLException {
    Params.array(call, "workers", "text", entries, Entry::worker);
    texts(call, "outcomes", entries, failed -> failed.note().outcome().text());
    texts(call, "failure_kinds", entries, failed -> failed.note().failureKind());
    Params.array(call, "statuses", "int4", entries, entry -> entry.failed().note().status());
    texts(call, "codes", entries, failed -> failed.note().code());
    texts(call, "messages", entries, failed -> failed.note().message());
    texts(
        call, "exception_types", entries, failed -> TaskRows.types(failed.note().exceptionTypes()));
    texts(call, "stacks", entries, failed -> failed.note().stack());
  }

  private static void numbers(
      Call call, String parameter, List<Entry> entries, Function<Past.Failed, Long> value)
      throws SQLException {
    Params.array(call, parameter, "int8", entries, entry -> value.apply(entry.failed()));
  }

  private static void texts(
      Call call,
      String parameter,
      List<Entry> entries,
      Function<Past.Failed, @Nullable String> value)
      throws SQLException {
    Params.array(
        call, parameter, "text", entries, entry -> Params.text(value.apply(entry.failed())));
  }
}
