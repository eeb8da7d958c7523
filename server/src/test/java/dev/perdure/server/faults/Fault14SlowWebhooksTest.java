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
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
}
