// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.Call;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Writes deliveries: those of changes in the transaction that wrote the changes. */
final class DeliveryWrites {

  private final Session session;

  DeliveryWrites(Session session) {
    this.session = session;
  }

  private record New(UUID task, NewDelivery delivery) {}

  /** Of each change that was written. */
  void insert(Connection connection, int shard, Answers<Change> answers) throws SQLException {
    List<New> news = new ArrayList<>();
    for (int place : answers.places()) {
      if (answers.isDone(place)) {
        Change change = answers.item(place);
        change.deliveries().forEach(one -> news.add(new New(change.task(), one)));
      }
    }
    if (!news.isEmpty()) {
      insert(connection, shard, news);
    }
  }

  /** Of this task; false when there is none. */
  boolean insert(Connection connection, UUID task, NewDelivery delivery) throws SQLException {
    return insert(connection, Shards.of(task), List.of(new New(task, delivery))) == 1;
  }

  private int insert(Connection connection, int shard, List<New> news) throws SQLException {
    try (Call call = session.call(connection, "delivery.insert")) {
      Params.instant(call, "now", session.settings().now());
      call.count("shard", shard);
      Params.array(call, "ids", "uuid", news, one -> one.delivery().id());
      Params.array(call, "tasks", "uuid", news, New::task);
      Params.array(
          call,
          "triggers",
          "text",
          news,
          one -> Params.text(one.delivery().announcement().trigger()));
      Params.array(
          call,
          "requests",
          "text",
          news,
          one -> Params.text(one.delivery().announcement().request()));
      return call.update();
    }
  }
}
