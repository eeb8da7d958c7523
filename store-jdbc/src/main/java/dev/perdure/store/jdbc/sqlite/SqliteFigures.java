// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.Addition;
import dev.perdure.engine.store.Facets;
import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.Revision;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Shards;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Changes figures of tasks, in the writer's transactions. */
final class SqliteFigures implements Figures {

  private final SqliteStore store;

  SqliteFigures(SqliteStore store) {
    this.store = store;
  }

  @Override
  public List<Verdict> add(List<Addition> additions) {
    return store.write(
        (session, now) -> {
          List<Verdict> verdicts = new ArrayList<>(additions.size());
          for (Addition addition : additions) {
            verdicts.add(add(session, now, addition));
          }
          return verdicts;
        });
  }

  private static Verdict add(Session session, long now, Addition addition) throws SQLException {
    LeaseKey key = addition.key();
    int written =
        session
            .sql("figures.add")
            .number("now", now)
            .number("shard", Shards.of(key.task()))
            .id("id", key.task())
            .number("epoch", key.epoch())
            .number("success", addition.success())
            .number("failures", addition.failures())
            .number("lease_ms", Values.millis(addition.lease()))
            .update();
    return written == 0 ? new TaskWrites(session, now).refused(key.task()) : Verdict.done();
  }

  @Override
  public Verdict revise(Revision revision) {
    return store.write((session, now) -> revise(session, now, revision));
  }

  private static Verdict revise(Session session, long now, Revision revision) throws SQLException {
    Integer priority = revision.priority();
    int written =
        session
            .sql("figures.revise")
            .number("now", now)
            .number("shard", Shards.of(revision.task()))
            .id("id", revision.task())
            .number("epoch", revision.epoch())
            .number("priority", priority == null ? null : (Long) priority.longValue())
            .number("expected_count", revision.expected())
            .update();
    if (written == 0) {
      return new TaskWrites(session, now).refused(revision.task());
    }
    if (revision.metadata() != null) {
      session
          .sql("figures.revise_metadata")
          .number("shard", Shards.of(revision.task()))
          .id("id", revision.task())
          .text("metadata", revision.metadata())
          .text("facets", Facets.kept(revision.metadata()))
          .update();
    }
    return Verdict.done();
  }
}
