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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callees that hang held everything the API needs, and it hung with them. */
class Fault14SlowWebhooksTest {

  private static final int HANGING = 500;
  private static final int ASKED = 200;

  @TempDir private Path folder;

  /** Were a connection or a slot of the API held by one of them, it would take half a minute. */
  @ParameterizedTest
  @EnumSource
  void the_api_answers_while_five_hundred_callees_hang(Databases database) throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    try (Callee callee =
            Callee.answering(
                call -> {
                  free.await();
                  return Reply.of(200);
                });
        TestServer server =
            database.server(
                folder,
                Map.of(
                    Settings.WEBHOOK_ALLOW,
                    Callee.ALLOWED,
                    Settings.WORKER_WEBHOOK_CONCURRENCY,
                    Integer.toString(HANGING)))) {
      String hanging = "{\"kind\": \"etl\", \"on_start\": %s}".formatted(callee.action("/start"));
      String all = String.join(",", Collections.nCopies(HANGING, hanging));
      assertThat(server.post("/task", "[" + all + "]").status()).isEqualTo(201);
      Until.answered(callee::count, count -> count == HANGING);

      Duration slow = slowest(new Desk(server), server);

      assertThat(callee.count()).isEqualTo(HANGING);
      free.countDown();
      assertThat(slow).isLessThan(Duration.ofSeconds(5));
    }
  }

  /** The time within which 99 of 100 tasks were submitted and read. */
  private static Duration slowest(Desk desk, TestServer server) throws IOException {
    long[] nanos = new long[ASKED];
    for (int i = 0; i < ASKED; i++) {
      long before = System.nanoTime();
      String id = desk.submit("{\"kind\": \"nobody\"}");
      assertThat(server.get("/task/" + id).status()).isEqualTo(200);
      nanos[i] = System.nanoTime() - before;
    }
    Arrays.sort(nanos);
    return Duration.ofNanos(nanos[ASKED * 99 / 100]);
  }
}
