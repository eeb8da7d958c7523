// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** A worker in Node.js is killed while it works, and another worker continues the task. */
@Tag("slow")
class RemoteWorkerTest {

  private static final Path SCRIPT =
      Path.of("src/test/resources/dev/perdure/server/remote/worker.mjs");

  @TempDir private Path folder;

  /** A worker in a separate process. */
  private record Worker(Process process, BufferedReader output) implements AutoCloseable {

    static Worker start(int port, String workMillis) throws IOException {
      Process process = NodeJs.run(SCRIPT, "http://127.0.0.1:" + port, "job", workMillis);
      return new Worker(process, process.inputReader());
    }

    /** Reads its output up to this line. */
    void awaitLine(String wanted) throws IOException {
      String line = output.readLine();
      while (line != null && !line.equals(wanted)) {
        line = output.readLine();
      }
      assertThat(line).isEqualTo(wanted);
    }

    String name() {
      return "node-" + process.pid();
    }

    /** Kills the process with SIGKILL. */
    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(180)
  void another_worker_continues_the_task(TestDatabase database) throws Exception {
    try (TestServer server = database.server(folder);
        Worker first = Worker.start(server.port(), "3600000")) {
      TestApiClient client = new TestApiClient(server);
      String id =
          client.submit(
              "{\"kind\": \"job\", \"payload\": 7, \"retry\": %s}".formatted(TestApiClient.LATER));
      first.awaitLine("claimed 1");
      for (int i = 0; i < 5; i++) {
        first.awaitLine("heartbeat 200");
      }
      assertThat(client.show(id).get("epoch").longValue())
          .as("heartbeats extended the lease")
          .isEqualTo(1);
      first.kill();
      try (Worker second = Worker.start(server.port(), "1")) {
        second.awaitLine("claimed 1");
        client.submit("{\"kind\": \"job\"}");
        second.awaitLine("claimed 1"); // It claims again only after it has settled the first task.

        JsonNode task = client.show(id);
        assertThat(task.get("status").stringValue()).isEqualTo("Success");
        assertThat(task.get("result").get("size").intValue()).isEqualTo(7);
        assertThat(task.get("attempt").longValue()).as("a loss uses no retry").isZero();
        JsonNode attempts = task.get("attempts");
        assertThat(attempts.get(0).get("outcome").stringValue()).isEqualTo("lost");
        assertThat(attempts.get(0).get("worker").stringValue()).isEqualTo(first.name());
        assertThat(attempts.get(1).get("outcome").stringValue()).isEqualTo("success");
        assertThat(attempts.get(1).get("worker").stringValue()).isEqualTo(second.name());
      }
    }
  }
}
