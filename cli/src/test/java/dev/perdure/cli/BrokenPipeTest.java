// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.TestServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Long-running commands end when the reader closes their output. */
@Timeout(60)
class BrokenPipeTest {

  @TempDir private Path folder;

  private static void assertEndedSilently(CliResult result) {
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void watch_ends_with_its_next_line() {
    try (TestServer server = TestServer.in(folder)) {
      String url = server.url().toString();
      TestCli shell = new TestCli().environment("PERDURE_URL", url);
      CliResult submitted =
          shell.stdin("[{\"kind\": \"a\"}, {\"kind\": \"a\"}]").run("submit", "-", "--json");
      String id = submitted.json().getFirst().get("id").stringValue();
      BrokenPipeStream reader = BrokenPipeStream.after(1, () -> shell.run("cancel", id));

      assertEndedSilently(shell.runInto(reader, "watch", "--json", "--every", "20ms"));
      assertThat(reader.text().lines()).hasSize(1);
    }
  }

  @Test
  void tasks_fetches_no_further_page() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    HttpServer endless =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endless.createContext(
        "/task",
        exchange -> {
          asked.incrementAndGet();
          byte[] page = "[{\"id\": \"x\"}]".getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Link", "</task?after=x>; rel=\"next\"");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    endless.start();
    try {
      String url = "http://127.0.0.1:" + endless.getAddress().getPort();

      assertEndedSilently(
          new TestCli()
              .runInto(
                  BrokenPipeStream.after(2, () -> {}),
                  "tasks",
                  "--json",
                  "--limit",
                  "2000",
                  "--url",
                  url));
      assertThat(asked).hasValue(3);
    } finally {
      endless.stop(0);
    }
  }

  @Test
  void the_demo_ends_and_leaves_nothing_behind() {
    BrokenPipeStream reader = BrokenPipeStream.after(2, () -> {});

    assertEndedSilently(new TestCli().runInto(reader, "demo", "--port", "0", "--for", "1h"));

    Matcher folderName = Pattern.compile("/\\S*perdure-demo\\d+").matcher(reader.text());
    assertThat(folderName.find()).isTrue();
    assertThat(Path.of(folderName.group())).doesNotExist();
  }
}
