// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.Call;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Tells what was found instead of what a refused write expected. */
final class Standing {

  private final Session session;

  Standing(Session session) {
    this.session = session;
  }

  /** Where a task stands. */
  record Row(TaskState state, long epoch, long attempt) {}

  /** Tells whether what is found shows that an earlier try had written it. */
  @FunctionalInterface
  interface Earlier<T> {
    boolean wrote(T item, Row found) throws SQLException;
  }

  /**
   * One verdict each; those that were refused are looked up, after the write and so with what made
   * it fail.
   */
  <T> List<Verdict> complete(
      Connection connection, int shard, Answers<T> answers, Earlier<T> earlier)
      throws SQLException {
    Set<UUID> refused = answers.refused();
    Map<UUID, Row> rows = refused.isEmpty() ? Map.of() : find(connection, shard, refused);
    List<Verdict> verdicts = new ArrayList<>();
    for (int place = 0; place < answers.items().size(); place++) {
      Row row = rows.get(answers.task(place));
      if (answers.isDone(place)) {
        verdicts.add(Verdict.done());
      } else if (row == null) {
        verdicts.add(Verdict.missing());
      } else {
        verdicts.add(
            earlier.wrote(answers.item(place), row)
                ? Verdict.done()
                : Verdict.refused(row.state(), row.epoch()));
      }
    }
    return verdicts;
  }

  private Map<UUID, Row> find(Connection connection, int shard, Set<UUID> ids) throws SQLException {
    Map<UUID, Row> rows = new HashMap<>();
    try (Call call = session.call(connection, "task_state.standing")) {
      call.count("shard", shard);
      Params.array(call, "ids", "uuid", List.copyOf(ids), id -> id);
      ResultSet found = call.query();
      while (found.next()) {
        rows.put(
            found.getObject("id", UUID.class),
            new Row(
                TaskState.of(found.getString("state")).orElseThrow(),
                found.getLong("epoch"),
                found.getLong("attempt")));
      }
    }
    return rows;
  }
}
