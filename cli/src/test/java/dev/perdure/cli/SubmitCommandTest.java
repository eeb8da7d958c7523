// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class SubmitCommandTest extends ServerCommandFixture {

  private static final String CREATED =
      """
      [{"id": "ID", "batch_id": "ID", "run": 1, "kind": "a", "status": "Pending",
        "attempt": 0, "epoch": 0, "priority": 0, "paused": false, "losses": 0, "run_at": "NOW",
        "created_at": "NOW", "last_updated": "NOW"}]"""
          .replace("ID", "00000000-0000-7000-8000-000000000000")
          .replace("NOW", "2026-01-01T00:00:00Z");

  @Test
  void submits_a_file() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("tasks.json"),
            "[{\"kind\": \"mail\", \"name\": \"to Ada\"}, {\"kind\": \"mail\"}]");

    CliResult result = run("submit", file.toString());

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.lines().getFirst()).matches("batch [0-9a-f-]{36}: 2 tasks");
    assertThat(result.out()).contains("to Ada", "Pending", "Follow it with: perdure watch ");
  }

  @Test
  void says_which_tasks_existed_already() {
    String keyed = "{\"kind\": \"sync\", \"dedupe_key\": \"sync-42\"}";
    shell().stdin(keyed).run("submit", "-");

    CliResult result =
        shell().stdin("[{\"kind\": \"mail\"}, %s]".formatted(keyed)).run("submit", "-");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.lines().getFirst())
        .matches("batch [0-9a-f-]{36}: 2 tasks, 1 existed already");
    assertThat(result.out()).containsPattern("now +mail").containsPattern("before +sync");
  }

  @Test
  void prints_commands_with_the_command_that_was_called() {
    for (String call : List.of("./perdure", "/opt/perdure/perdure")) {
      assertThat(
              shell()
                  .environment("PERDURE_CALL", call)
                  .stdin("{\"kind\": \"a\"}")
                  .run("submit", "-")
                  .out())
          .contains("Follow it with: " + call + " watch ");
    }
    assertThat(
            shell()
                .environment("PERDURE_CALL", "/my dir/it's")
                .stdin("{\"kind\": \"a\"}")
                .run("submit", "-")
                .out())
        .contains("Follow it with: '/my dir/it'\\''s' watch ");
  }

  @Test
  void submits_standard_input_and_prints_json() {
    CliResult result =
        shell().stdin("[{\"kind\": \"a\"}, {\"kind\": \"b\"}]").run("submit", "-", "--json");

    assertThat(result.code()).isZero();
    assertThat(result.json())
        .extracting(task -> task.get("kind").stringValue())
        .containsExactly("a", "b");
  }

  @Test
  void shows_the_first_20_tasks_of_a_large_batch() {
    String many =
        IntStream.range(0, 25)
            .mapToObj(i -> "{\"kind\": \"mail\"}")
            .collect(Collectors.joining(",", "[", "]"));

    CliResult result = shell().stdin(many).run("submit", "-");

    assertThat(result.lines().getFirst()).endsWith(": 25 tasks");
    assertThat(result.out()).contains("… and 5 more\n");
  }

  @Test
  void reports_every_error_of_the_server() {
    CliResult result =
        shell()
            .stdin("[{\"knd\": \"mail\"}, {\"kind\": \"x\", \"timeout\": -1}]")
            .run("submit", "-");

    assertRefused(result, 2, "did you mean 'kind'?", "timeout");
    assertThat(result.err().lines()).hasSizeGreaterThan(1);
  }

  @Test
  void reports_errors_as_json() {
    CliResult result = shell().stdin("{\"knd\": \"mail\"}").run("submit", "-", "--json");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors().get(0).get("path").stringValue()).isNotEmpty();
  }

  @Test
  void submits_a_batch() {
    CliResult result =
        shell().stdin("{\"tasks\": [{\"kind\": \"a\"}, {\"kind\": \"b\"}]}").run("submit", "-");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.lines().getFirst()).endsWith(": 2 tasks");
  }

  @Test
  void stores_the_tasks_once_per_idempotency_key() {
    for (int i = 0; i < 2; i++) {
      CliResult result =
          shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--idempotency-key", "night 1");
      assertThat(result.code()).as(result.err()).isZero();
    }
    assertThat(run("tasks", "--json").json()).hasSize(1);
    assertRefused(
        shell().stdin("{\"kind\": \"b\"}").run("submit", "-", "--idempotency-key", "night 1"),
        2,
        "Idempotency-Key");
    assertRefused(
        shell().stdin("{}").run("submit", "-", "--idempotency-key", "ä"),
        2,
        "--idempotency-key: must be");
  }

  @Test
  void sends_a_submission_again_when_the_response_is_lost() throws IOException {
    try (ResponseDroppingProxy proxy = new ResponseDroppingProxy(server.port(), 1)) {
      CliResult result =
          shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--url", proxy.url());

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(proxy.forwarded()).isEqualTo(2);
    }
    assertThat(run("tasks", "--json").json()).hasSize(1);
  }

  @Test
  void prints_how_to_continue_when_the_response_is_lost_twice() throws IOException {
    String key;
    try (ResponseDroppingProxy proxy = new ResponseDroppingProxy(server.port(), 2)) {
      CliResult result =
          shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--url", proxy.url());

      assertRefused(result, 2, "was lost", "add --idempotency-key ");
      key = result.err().replaceFirst("(?s).*--idempotency-key ([\\w-]+).*", "$1");
    }
    CliResult again =
        shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--idempotency-key", key);
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(run("tasks", "--json").json()).hasSize(1);
  }

  /** A server that responds with these statuses in turn; 0 is no response. */
  private static HttpServer scripted(List<Integer> statuses, List<String> keys) throws IOException {
    HttpServer scripted =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Iterator<Integer> script = statuses.iterator();
    scripted.createContext(
        "/task",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
          int status = script.next();
          if (status > 0) {
            byte[] body =
                (status == 201 ? CREATED : "{\"title\": \"x\", \"detail\": \"too busy\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    scripted.start();
    return scripted;
  }

  private CliResult submitTo(HttpServer server) {
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      return shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--url", url);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void sends_a_submission_again_when_the_server_is_busy() throws IOException {
    List<String> keys = new CopyOnWriteArrayList<>();

    CliResult result = submitTo(scripted(List.of(503, 201), keys));

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(keys).hasSize(2).doesNotContainNull();
    assertThat(Set.copyOf(keys)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 0})
  void prints_the_key_when_the_server_stays_busy(int first) throws IOException {
    List<String> keys = new CopyOnWriteArrayList<>();

    CliResult result = submitTo(scripted(List.of(first, 503), keys));

    assertRefused(
        result, 2, "too busy (to submit again", "add --idempotency-key " + keys.getLast());
    assertThat(Set.copyOf(keys)).hasSize(1);
  }

  @Test
  void prints_no_key_when_the_submission_never_arrived() throws IOException {
    String url;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      url = "http://127.0.0.1:" + closed.getLocalPort();
    }
    CliResult result = shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--url", url);

    assertRefused(result, 2, url);
    assertThat(result.err()).doesNotContain("--idempotency-key");
  }

  @Test
  void reports_an_unusable_file() {
    assertRefused(run("submit", "no-such.json"), 2, "file not found: 'no-such.json'");
    assertRefused(shell().stdin("no json").run("submit", "-"), 2, "FILE: is not JSON at line 1");
    assertRefused(
        shell().stdin("[]").run("submit", "-"), 2, "FILE: must contain at least one task");
    assertRefused(shell().stdin(" ").run("submit", "-"), 2, "FILE: is empty");
  }
}
