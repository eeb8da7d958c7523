// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault: one counter overflow keeps all other counters from being written. */
class Fault06CounterOverflowTest {

  private static final int REPORTS = 200;
  private static final String TOO_MUCH = "{\"epoch\": 1, \"new_success\": 9223372036854775807}";

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void an_overflow_fails_only_its_own_report(TestDatabase database) throws Exception {
    try (TestServer server = database.server(folder)) {
      TestApiClient client = new TestApiClient(server);
      client.submit("[{\"kind\": \"job\"}, {\"kind\": \"job\"}]");
      List<String> ids =
          client
              .claim(", \"limit\": 2")
              .valueStream()
              .map(task -> task.get("id").stringValue())
              .toList();
      String full = ids.getFirst();
      String other = ids.getLast();
      client.put(full, "{\"epoch\": 1, \"new_success\": 1}");

      List<RawResponse> responses = reportConcurrently(client, full, other);

      for (int i = 0; i < REPORTS; i++) {
        int expected = i % 10 == 0 ? 409 : 202;
        assertThat(responses.get(i).status()).as(responses.get(i).body()).isEqualTo(expected);
      }
      assertThat(responses.getFirst().json().get("detail").stringValue())
          .contains("9223372036854775807");
      // A tenth of the reports overflowed; the others alternate between the tasks and add 1 and 2.
      assertThat(client.show(full).get("success").longValue()).isEqualTo(1 + 80);
      assertThat(client.show(other).get("success").longValue()).isEqualTo(100);
      assertThat(client.show(other).get("failures").longValue()).isEqualTo(200);
    }
  }

  /** Sends all reports concurrently: every tenth overflows, the even ones go to the first task. */
  private static List<RawResponse> reportConcurrently(
      TestApiClient client, String full, String other) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(16)) {
      List<Future<RawResponse>> reports =
          IntStream.range(0, REPORTS)
              .mapToObj(i -> pool.submit(() -> report(client, i, full, other)))
              .toList();
      return reports.stream().map(Fault06CounterOverflowTest::response).toList();
    }
  }

  private static RawResponse report(TestApiClient client, int i, String full, String other)
      throws IOException {
    if (i % 10 == 0) {
      return client.put(full, TOO_MUCH);
    }
    return client.put(
        i % 2 == 0 ? full : other, "{\"epoch\": 1, \"new_success\": 1, \"new_failures\": 2}");
  }

  private static RawResponse response(Future<RawResponse> future) {
    try {
      return future.get();
    } catch (Exception e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
