// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Callee;
import dev.perdure.server.Callee.Reply;
import dev.perdure.server.Databases;
import dev.perdure.server.Desk;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task that was canceled or paused while it waited for a slot was started all the same. */
class Fault03CanceledTaskStartsTest {

  @TempDir private Path folder;

  /** One slot, which the first task holds: the others wait behind it in their order. */
  @ParameterizedTest
  @EnumSource
  void only_what_nobody_stopped_is_started(Databases database) throws Exception {
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
                    "1"))) {
      Desk desk = new Desk(server);
      desk.submit(task(callee, "/first"));
      callee.next("/first");
      String canceled = desk.submit(task(callee, "/canceled"));
      String paused = desk.submit(task(callee, "/paused"));
      desk.submit(task(callee, "/last"));
      server.ask("DELETE", "/task/" + canceled);
      server.ask("PATCH", "/task/pause/" + paused);

      free.countDown();

      assertThat(callee.next().path()).isEqualTo("/last");
      assertThat(desk.status(canceled)).isEqualTo("Canceled");
      assertThat(desk.status(paused)).isEqualTo("Paused");
      server.ask("PATCH", "/task/resume/" + paused);
      assertThat(callee.next().path()).isEqualTo("/paused");
      assertThat(callee.count()).isEqualTo(3);
    }
  }

  private static String task(Callee callee, String path) {
    return "{\"kind\": \"etl\", \"on_start\": %s}"
        .formatted(callee.action(path, ", \"completion\": \"response\""));
  }
}
