// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.Addition;
import dev.perdure.engine.store.Facets;
import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.Revision;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Changes figures of tasks: those of one shard in one statement. */
final class PostgresFigures implements Figures {

  private final Session session;
  private final Standing standing;

  PostgresFigures(Session session) {
    this.session = session;
    this.standing = new Standing(session);
  }

  /** What was perhaps added is not added again. */
  @Override
  public List<Verdict> add(List<Addition> additions) {
    return ByShard.of(additions, addition -> addition.key().task(), this::add);
  }

  private List<Verdict> add(int shard, List<Addition> additions) {
    Answers<Addition> answers =
        new Answers<>(additions, addition -> addition.key().task(), Addition::key);
    session.once(
        "add",
        (connection, unsure) -> {
          write(connection, shard, answers);
          return true;
        });
    return answers.refused().isEmpty()
        ? Collections.nCopies(additions.size(), Verdict.done())
        : verdicts(shard, answers);
  }

  /**
   * The look at what was refused is an operation of its own: when it fails, what was added must not
   * seem undone. Those that it was for may be given again, and are told as if somebody were in the
   * way.
   */
  private List<Verdict> verdicts(int shard, Answers<Addition> answers) {
    try {
      return session.repeatedly(
          "add",
          (connection, unsure) ->
              standing.complete(connection, shard, answers, (addition, row) -> false));
    } catch (StoreException nobodyKnows) {
      return IntStream.range(0, answers.items().size())
          .mapToObj(place -> answers.isDone(place) ? Verdict.done() : inTheWay(answers.item(place)))
          .toList();
    }
  }

  private static Verdict inTheWay(Addition addition) {
    return Verdict.refused(TaskState.RUNNING, addition.key().epoch());
  }

  private void write(Connection connection, int shard, Answers<Addition> answers)
      throws SQLException {
    try (Call call = session.call(connection, "figures.add")) {
      List<Addition> sent = answers.places().stream().map(answers::item).toList();
      Params.instant(call, "now", session.settings().now());
      call.count("shard", shard);
      Params.array(call, "places", "int4", answers.places(), place -> place);
      Params.array(call, "ids", "uuid", sent, addition -> addition.key().task());
      Params.array(call, "epochs", "int8", sent, addition -> addition.key().epoch());
      Params.array(call, "successes", "int8", sent, Addition::success);
      Params.array(call, "failures", "int8", sent, Addition::failures);
      Params.array(
          call, "leases_ms", "int8", sent, addition -> Lengths.millisOrNull(addition.lease()));
      answers.done(call.query());
    }
  }

  @Override
  public Verdict revise(Revision revision) {
    return session.repeatedly("revise", (connection, unsure) -> revise(connection, revision));
  }

  private Verdict revise(Connection connection, Revision revision) throws SQLException {
    int shard = Shards.of(revision.task());
    Answers<Revision> answers = new Answers<>(List.of(revision), Revision::task, Revision::task);
    try (Call call = session.call(connection, "figures.revise")) {
      Params.instant(call, "now", session.settings().now());
      Params.uuid(call.count("shard", shard), "id", revision.task());
      Integer priority = revision.priority();
      call.number("priority", priority == null ? null : (Long) priority.longValue())
          .number("expected_count", revision.expected())
          .number("epoch", revision.epoch())
          .text("metadata", revision.metadata())
          .text("facets", Facets.kept(revision.metadata()));
      answers.done(call.query());
    }
    return standing.complete(connection, shard, answers, (one, row) -> false).getFirst();
  }
}
