// SPDX-License-Identifier: Apache-2.0
package dev.perdure.springboot.docs;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.Connection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Stores an order and the task that ships it in one transaction. */
@Service
class OrderService {

  private final JdbcStore store;
  private final Engine engine;
  private final JdbcTemplate jdbc;

  OrderService(JdbcStore store, Engine engine, JdbcTemplate jdbc) {
    this.store = store;
    this.engine = engine;
    this.jdbc = jdbc;
  }

  @Transactional
  public void place(int order) {
    jdbc.update("INSERT INTO orders (id) VALUES (?)", order);
    NewTask task = NewTask.of("ship", order);
    jdbc.execute((Connection connection) -> engine.submit(task, store.inTransaction(connection)));
  }

  @Transactional
  public void placeAndFail(int order) {
    place(order);
    throw new IllegalArgumentException("rolled back");
  }

  public void submitWithoutTransaction(int order) {
    NewTask task = NewTask.of("ship", order);
    jdbc.execute((Connection connection) -> engine.submit(task, store.inTransaction(connection)));
  }
}
