// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Callee;
import dev.perdure.server.Callee.Reply;
import dev.perdure.server.Databases;
import dev.perdure.server.Desk;
import dev.perdure.server.TestServer;
import dev.perdure.server.Until;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.Wire.Answer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Callees that hang held everything the API needs, and it hung with them. */
class Fault14SlowWebhooksTest {

  private static final int HANGING = 500;
  private static final int ASKED = 200;

  @TempDir private Path folder;

  /**
   * The API has one place and the store a few connections: were one of them held for each callee, a
   * single request would find none, and be refused.
   */
  @ParameterizedTest
  @EnumSource
  void the_api_answers_while_five_hundred_callees_hang(Databases database) throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    AtomicInteger answered = new AtomicInteger();
    try (Callee callee =
            Callee.answering(
                call -> {
                  free.await();
                  answered.incrementAndGet();
                  return Reply.of(200);
                });
        TestServer server =
            database.server(
                folder,
                Map.of(
                    Settings.WEBHOOK_ALLOW,
                    Callee.ALLOWED,
                    Settings.WORKER_WEBHOOK_CONCURRENCY,
                    Integer.toString(HANGING),
                    Settings.MAX_REQUESTS,
                    "1"))) {
      String hanging = "{\"kind\": \"etl\", \"on_start\": %s}".formatted(callee.action("/start"));
      String all = String.join(",", Collections.nCopies(HANGING, hanging));
      assertThat(server.post("/task", "[" + all + "]").status()).isEqualTo(201);
      Until.answered(callee::count, count -> count == HANGING);

      Desk desk = new Desk(server);
      for (int i = 0; i < ASKED; i++) {
        String id = desk.submit("{\"kind\": \"nobody\"}");
        assertThat(desk.status(id)).isEqualTo("Pending");
      }

      assertThat(callee.count()).as("all of them hang").isEqualTo(HANGING);
      assertThat(answered).hasValue(0);
      free.countDown();
    }
  }

  /** Of those who are told, one host hangs; the others are told, and so is everything else done. */
  @ParameterizedTest
  @EnumSource
  void everything_goes_on_while_five_hundred_deliveries_hang(Databases database) throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    try (Callee hangs =
            Callee.answering(
                call -> {
                  free.await();
                  return Reply.of(200);
                });
        Callee healthy = Callee.answering(call -> Reply.of(200, "1"));
        TestServer server =
            database.server(folder, Map.of(Settings.WEBHOOK_ALLOW, Callee.ALLOWED))) {
      String hanging =
          "{\"kind\": \"x\", \"on_cancel\": [%s]}"
              .formatted(hangs.action("/told", ", \"timeout\": \"60s\""));
      String all = String.join(",", Collections.nCopies(HANGING, hanging));
      Answer batch = server.post("/task", "[" + all + "]");
      assertThat(batch.status()).isEqualTo(201);
      for (JsonNode task : batch.json()) {
        server.ask("DELETE", "/task/" + task.get("id").stringValue());
      }
      Until.answered(hangs::count, count -> count > 0);

      Desk desk = new Desk(server);
      desk.submit(
          "{\"kind\": \"etl\", \"on_start\": %s, \"on_success\": [%s]}"
              .formatted(
                  healthy.action("/start", ", \"completion\": \"response\""),
                  healthy.action("/end")));
      healthy.next("/start");
      healthy.next("/end");
      for (int i = 0; i < ASKED; i++) {
        assertThat(desk.status(desk.submit("{\"kind\": \"nobody\"}"))).isEqualTo("Pending");
      }

      // All but for the one hang: of its call, which was seen, the end is written a moment later.
      JsonNode sent =
          Until.answered(
              () -> server.get("/delivery?state=sent").json(), deliveries -> !deliveries.isEmpty());
      assertThat(sent).hasSize(1);
      free.countDown();
    }
  }
}
