// SPDX-License-Identifier: Apache-2.0
package dev.perdure.springboot.docs;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.store.jdbc.JdbcStore;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** Places orders, prints what became of them, and ends. */
@SpringBootApplication
public class OrderApplication {

  private final BlockingQueue<Integer> shipped = new LinkedBlockingQueue<>();

  @Bean
  JdbcStore store(DataSource dataSource) {
    return JdbcStore.open(dataSource);
  }

  @Bean
  Engine engine(JdbcStore store) {
    Engine engine = Engine.on(store);
    engine.register("ship", Integer.class, (order, context) -> ship(order));
    return engine;
  }

  @Bean
  ApplicationListener<ApplicationReadyEvent> engineStarter(Engine engine) {
    return event -> engine.start();
  }

  /** Runs before the application is ready. */
  @Bean
  ApplicationRunner nodes(JdbcStore store) {
    return arguments -> print("nodes before it is ready", store.nodes().alive());
  }

  private void ship(int order) {
    shipped.add(order);
  }

  public static void main(String[] arguments) throws InterruptedException {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(OrderApplication.class, arguments)) {
      OrderService service = context.getBean(OrderService.class);
      attempt("placed and failed", () -> service.placeAndFail(1));
      attempt("without a transaction", () -> service.submitWithoutTransaction(2));
      service.place(3);
      print("shipped", context.getBean(OrderApplication.class).shipped.poll(60, TimeUnit.SECONDS));
      JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
      print("orders", jdbc.queryForList("SELECT id FROM orders", Integer.class));
      print("tasks", context.getBean(Engine.class).tasks().count(TaskFilter.all(), 10));
    }
  }

  private static void attempt(String what, Runnable action) {
    try {
      action.run();
      print(what, "succeeded");
    } catch (IllegalArgumentException | IllegalStateException e) {
      print(what, e.getMessage());
    }
  }

  private static void print(String what, @Nullable Object result) {
    System.out.println(what + ": " + result);
  }
}
