// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The worker in Node.js that the documentation shows, as a real process. */
@Tag("slow")
class RemoteWorkerTest {

  private static final Path SCRIPT =
      Path.of("src/test/resources/dev/perdure/server/remote/worker.mjs");

  @TempDir private Path folder;

  /** A worker in a separate process. */
  private record Worker(Process process, BufferedReader output) implements AutoCloseable {

    static Worker start(int port, String leaseSeconds) throws IOException {
      return of(NodeJs.run(SCRIPT, "http://127.0.0.1:" + port, "job", leaseSeconds));
    }

    static Worker startFast(int port) throws IOException {
      return of(NodeJs.runFast(SCRIPT, "http://127.0.0.1:" + port, "job"));
    }

    private static Worker of(Process process) {
      // Ends the wait for a line that never comes, which no interrupt would end.
      CompletableFuture.delayedExecutor(2, TimeUnit.MINUTES).execute(process::destroyForcibly);
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

  /** A task whose worker downloads a file. */
  private static String job(WebhookReceiver files) {
    return "{\"kind\": \"job\", \"payload\": {\"url\": \"%s\"}, \"retry\": %s}"
        .formatted(files.url("/file"), TestApiClient.LATER);
  }

  @ParameterizedTest
  @EnumSource
  void another_worker_continues_the_task_of_a_killed_one(TestDatabase database) throws Exception {
    try (WebhookReceiver files = WebhookReceiver.replyingWith(call -> awaitInterrupt());
        TestServer server = database.server(folder);
        Worker first = Worker.start(server.port(), "8")) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(job(files));
      first.awaitLine("claimed 1");
      for (int i = 0; i < 5; i++) {
        first.awaitLine("heartbeat 200");
      }
      assertThat(client.show(id).get("epoch").longValue())
          .as("heartbeats extended the lease")
          .isEqualTo(1);
      first.kill();
      files.replyWith(call -> Reply.of(200, "7 bytes"));
      try (Worker second = Worker.start(server.port(), "8")) {
        second.awaitLine("settle 200");

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

  private static Reply awaitInterrupt() throws InterruptedException {
    new CountDownLatch(1).await();
    return Reply.of(200);
  }

  @ParameterizedTest
  @EnumSource
  void a_restart_of_the_server_neither_ends_the_worker_nor_fails_its_work(TestDatabase database)
      throws Exception {
    CountDownLatch serverIsDown = new CountDownLatch(1);
    int port = UnusedPort.next();
    Map<Setting<?>, String> settings =
        Map.of(Settings.DATABASE_URL, database.url(folder), Settings.PORT, Integer.toString(port));
    try (WebhookReceiver files =
            WebhookReceiver.replyingWith(
                call -> {
                  serverIsDown.await();
                  return Reply.of(200, "7 bytes");
                });
        Worker worker = Worker.start(port, "60")) {
      worker.awaitLine("claim 503"); // It started before the server.
      String id;
      try (TestServer before = database.server(folder, settings)) {
        id = new TestApiClient(before).submit(job(files));
        files.next();
      }
      serverIsDown.countDown();
      worker.awaitLine("settle 503");

      try (TestServer after = database.server(folder, settings)) {
        worker.awaitLine("settle 200");
        TestApiClient client = new TestApiClient(after);
        JsonNode task = client.show(id);
        assertThat(task.get("status").stringValue()).isEqualTo("Success");
        assertThat(task.get("attempts")).hasSize(1);

        client.submit(job(files));
        worker.awaitLine("settle 200"); // It claims again.
      }
    }
  }

  @Test
  void work_that_fails_is_reported_as_a_failure() throws Exception {
    try (WebhookReceiver files = WebhookReceiver.replyingWith(call -> Reply.of(404));
        TestServer server = TestServer.in(folder);
        Worker worker = Worker.start(server.port(), "60")) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(job(files));
      worker.awaitLine("settle 200");

      JsonNode task = client.show(id);
      assertThat(task.get("status").stringValue()).isEqualTo("RetryPending");
      assertThat(task.get("failure_reason").stringValue()).contains("returned 404");
    }
  }

  /** What a server replies to a claim: task 7. */
  private static Reply lease(ReceivedCall call) {
    return Reply.of(
        200,
        "[{\"id\": 7, \"epoch\": 1, \"payload\": {\"url\": \"http://%s/file\"}}]"
            .formatted(call.header("Host")));
  }

  @Test
  void a_report_that_is_never_answered_is_given_up() throws Exception {
    try (WebhookReceiver server =
            WebhookReceiver.replyingWith(
                call ->
                    switch (call.path()) {
                      case "/task/claim" -> lease(call);
                      case "/file" -> Reply.of(200);
                      default -> Reply.of(503, "{}");
                    });
        Worker worker = Worker.startFast(server.port())) {
      for (int i = 0; i < 10; i++) {
        worker.awaitLine("settle 503");
      }
      worker.awaitLine("task 7: no answer to 10 reports, so its lease expires and it runs again");
      worker.awaitLine("claimed 1");
    }
  }

  @Test
  void a_heartbeat_is_not_sent_before_the_last_one_is_answered() throws Exception {
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (WebhookReceiver server =
            WebhookReceiver.replyingWith(
                call ->
                    switch (call.path()) {
                      case "/task/claim" -> lease(call);
                      case "/file" -> awaitInterrupt();
                      default -> {
                        most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                        // Four times as long as the interval.
                        new CountDownLatch(1).await(1, TimeUnit.SECONDS);
                        inFlight.decrementAndGet();
                        yield Reply.of(200, "{}");
                      }
                    });
        Worker worker = Worker.start(server.port(), "1")) {
      for (int i = 0; i < 3; i++) {
        worker.awaitLine("heartbeat 200");
      }
      assertThat(most).hasValue(1);
    }
  }
}
