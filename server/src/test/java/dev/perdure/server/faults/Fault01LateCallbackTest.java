// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Callee;
import dev.perdure.server.Databases;
import dev.perdure.server.Desk;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The end of an attempt came when the next one was under way, and ended that instead. */
class Fault01LateCallbackTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void a_failed_attempt_does_not_end_its_retry(Databases database) throws IOException {
    try (TestServer server = database.server(folder)) {
      Desk desk = new Desk(server);
      String id = desk.submitJob(Desk.AT_ONCE);
      desk.claimOne();
      desk.patch(id, "{\"epoch\": 1, \"status\": \"Failure\"}");
      assertThat(desk.claimOne().get("epoch").longValue()).isEqualTo(2);

      isRefused(desk, id);
      assertThat(desk.patch(id, "{\"epoch\": 2, \"status\": \"Success\"}").status()).isEqualTo(200);
      assertThat(desk.show(id).get("attempts")).hasSize(2);
    }
  }

  /** The same attempt, but another lease: its number would not tell them apart. */
  @ParameterizedTest
  @EnumSource
  void a_worker_whose_lease_ran_out_does_not_end_the_next_ones(Databases database)
      throws IOException {
    try (TestServer server = database.server(folder)) {
      Desk desk = new Desk(server);
      String id = desk.submitJob(Desk.AT_ONCE);
      desk.claim(", \"lease\": \"1s\"");
      JsonNode next = desk.claimOne();
      assertThat(next.get("epoch").longValue()).isEqualTo(2);
      assertThat(next.get("attempt").longValue()).isZero();

      isRefused(desk, id);
      assertThat(desk.patch(id, "{\"epoch\": 2, \"status\": \"Success\"}").status()).isEqualTo(200);
      isRefused(desk, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_canceled_attempt_does_not_end_the_revived_task(Databases database) throws IOException {
    try (TestServer server = database.server(folder)) {
      Desk desk = new Desk(server);
      String id = desk.submitJob(Desk.AT_ONCE);
      desk.claimOne();
      server.ask("DELETE", "/task/" + id);
      isRefused(desk, id);
      server.post("/task/" + id + "/retry", "{}");
      isRefused(desk, id);
      desk.claimOne();
      isRefused(desk, id);
    }
  }

  /** A callee has a handle instead of an epoch. */
  @ParameterizedTest
  @EnumSource
  void a_handle_does_not_end_the_next_attempt(Databases database) throws Exception {
    try (Callee callee = Callee.agreeing();
        TestServer server =
            database.server(folder, Map.of(Settings.WEBHOOK_ALLOW, Callee.ALLOWED))) {
      Desk desk = new Desk(server);
      String id =
          desk.submit(
              "{\"kind\": \"etl\", \"retry\": %s, \"on_start\": %s}"
                  .formatted(Desk.AT_ONCE, callee.action("/start")));
      String first = callee.next().target();
      assertThat(server.send("PATCH", first, "{\"status\": \"Failure\"}").status()).isEqualTo(200);
      String second = callee.next().target();

      assertThat(server.send("PATCH", first, "{\"status\": \"Success\"}").status()).isEqualTo(409);
      assertThat(server.send("PUT", first, "{\"new_success\": 1}").status()).isEqualTo(409);
      assertThat(desk.status(id)).isEqualTo("Running");
      assertThat(server.send("PATCH", second, "{\"status\": \"Success\"}").status()).isEqualTo(200);
      assertThat(desk.show(id).get("success").longValue()).isZero();
    }
  }

  /** Whatever the first worker says now changes nothing. */
  private static void isRefused(Desk desk, String id) throws IOException {
    JsonNode before = desk.show(id);
    assertThat(desk.patch(id, "{\"epoch\": 1, \"status\": \"Success\"}").status()).isEqualTo(409);
    assertThat(desk.patch(id, "{\"epoch\": 1, \"priority\": 9}").status()).isEqualTo(409);
    assertThat(desk.put(id, "{\"epoch\": 1, \"new_success\": 1}").status()).isEqualTo(409);
    assertThat(desk.beat(id, "{\"epoch\": 1}").status()).isEqualTo(409);
    assertThat(desk.show(id)).isEqualTo(before);
  }
}
