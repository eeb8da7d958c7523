// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.ServerProcess;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Fault: the server dies after it claims a task and before it calls the callee. */
@Tag("slow")
class Fault04CrashBetweenClaimAndCallTest {

  private static final String LEASE = "--worker-claim-timeout-secs=10";

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void the_next_server_calls_the_callee(TestDatabase kind) throws Exception {
    String database = ServerProcess.database(kind, folder);
    String id;
    int port;
    // Nothing accepts the connection, so the call waits in the backlog when the server dies.
    try (ServerSocket backlog = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        ServerProcess first = ServerProcess.start(folder, database, LEASE)) {
      port = backlog.getLocalPort();
      id =
          first.submit(
              """
              {"kind": "etl", "on_start":
                {"kind": "Webhook", "params": {"url": "http://127.0.0.1:%d/start", "verb": "Post"}}}"""
                  .formatted(port));
      Eventually.await(() -> status(first, id), "Running"::equals);
      first.kill();
    }
    try (WebhookReceiver receiver =
            WebhookReceiver.at(port, call -> WebhookReceiver.Reply.of(202));
        ServerProcess second = ServerProcess.start(folder, database, LEASE)) {
      // The lease of the first server ends after ten seconds.
      Eventually.await(receiver::count, count -> count > 0);
      ReceivedCall start = receiver.next();
      assertThat(start.header("Idempotency-Key")).isEqualTo(id + ":start:success:0:0");
      assertThat(second.send("PATCH", start.target(), "{\"status\": \"Success\"}").status())
          .isEqualTo(200);
      JsonNode task = second.send("GET", "/task/" + id, "").json();
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("attempt").longValue()).as("a loss uses no retry").isZero();
      assertThat(task.get("attempts").get(0).get("outcome").stringValue()).isEqualTo("lost");
    }
  }

  private static String status(ServerProcess server, String id) throws Exception {
    return server.send("GET", "/task/" + id, "").json().get("status").stringValue();
  }
}
