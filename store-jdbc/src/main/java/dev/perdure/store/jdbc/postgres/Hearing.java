// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the signs of life of one shard, in one statement; several of one lease are one. */
final class Hearing {

  private final Session session;
  private final Standing standing;

  Hearing(Session session) {
    this.session = session;
    this.standing = new Standing(session);
  }

  List<Verdict> hear(Connection connection, int shard, List<SignOfLife> signs) throws SQLException {
    Map<LeaseKey, SignOfLife> merged = new LinkedHashMap<>();
    for (SignOfLife sign : signs) {
      merged.merge(sign.key(), sign, Hearing::later);
    }
    List<SignOfLife> distinct = List.copyOf(merged.values());
    List<Verdict> verdicts = write(connection, shard, distinct);
    Map<LeaseKey, Verdict> byLease = new HashMap<>();
    for (int i = 0; i < distinct.size(); i++) {
      byLease.put(distinct.get(i).key(), verdicts.get(i));
    }
    return signs.stream().map(sign -> byLease.getOrDefault(sign.key(), Verdict.missing())).toList();
  }

  private static SignOfLife later(SignOfLife before, SignOfLife after) {
    return new SignOfLife(
        after.key(),
        after.success() == null ? before.success() : after.success(),
        after.expected() == null ? before.expected() : after.expected(),
        after.lease() == null ? before.lease() : after.lease());
  }

  private List<Verdict> write(Connection connection, int shard, List<SignOfLife> signs)
      throws SQLException {
    Answers<SignOfLife> answers = new Answers<>(signs, sign -> sign.key().task(), SignOfLife::key);
    try (Call call = session.call(connection, "task_state.sign")) {
      List<SignOfLife> sent = answers.places().stream().map(answers::item).toList();
      Params.instant(call, "now", session.settings().now());
      call.count("shard", shard);
      Params.array(call, "places", "int4", answers.places(), place -> place);
      Params.array(call, "ids", "uuid", sent, sign -> sign.key().task());
      Params.array(call, "epochs", "int8", sent, sign -> sign.key().epoch());
      Params.array(call, "successes", "int8", sent, SignOfLife::success);
      Params.array(call, "expected_counts", "int8", sent, SignOfLife::expected);
      Params.array(call, "leases_ms", "int8", sent, sign -> Lengths.millisOrNull(sign.lease()));
      answers.done(call.query());
    }
    return standing.complete(connection, shard, answers, (sign, row) -> false);
  }
}
