// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.http.RawHttpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that take thirty times their size in memory, on a server with a small heap. */
@Timeout(
    value = 180,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // The server may hang forever.
@Tag("slow")
class LargeBodiesTest {

  private static final int CONCURRENT = 24;

  @TempDir private Path folder;

  private ServerProcess server(String heap, String... flags) throws IOException {
    return ServerProcess.start(
        folder,
        List.of("-Xmx" + heap, "-XX:+UseSerialGC"),
        ServerProcess.database(TestDatabase.SQLITE, folder),
        flags);
  }

  private static String task(int objects) {
    return "{\"kind\": \"job\", \"payload\": [{}" + ",{}".repeat(objects - 1) + "]}";
  }

  @Test
  void concurrent_large_bodies_are_accepted_or_get_a_503() throws Exception {
    String large = task(690_000);
    try (ServerProcess server = server("256m");
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> responses = new ArrayList<>();
      for (int i = 0; i < CONCURRENT; i++) {
        boolean inChunks = i % 2 == 0;
        responses.add(
            clients.submit(
                () ->
                    status(
                        () ->
                            inChunks
                                ? server.sendInChunks("POST", "/task", large)
                                : server.send("POST", "/task", large))));
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> response : responses) {
        statuses.add(response.get());
      }

      assertThat(statuses).contains(201).isSubsetOf(201, 503);
      server.submit("{\"kind\": \"job\"}");
      Eventually.await(() -> server.send("GET", "/ready", "").status(), status -> status == 200);
    }
  }

  /**
   * The server may close the connection before it has read everything; then its response may be
   * lost.
   */
  private static int status(Callable<RawHttpClient.RawResponse> request) throws Exception {
    try {
      return request.call().status();
    } catch (IOException closed) {
      return 503;
    }
  }

  @Test
  void a_server_that_runs_out_of_memory_exits() throws Exception {
    try (ServerProcess server = server("96m", "--max-body-bytes=60000000")) {
      Future<?> unused =
          Executors.newSingleThreadExecutor(Thread.ofVirtual().factory())
              .submit(() -> server.send("POST", "/task", task(9_000_000)));

      assertThat(server.awaitEnd()).isEqualTo(3);
    }
  }
}
