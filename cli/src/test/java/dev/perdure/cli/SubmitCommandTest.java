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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmitCommandTest extends ServerCommandFixture {

  @Test
  void a_file() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("tasks.json"),
            "[{\"kind\": \"mail\", \"name\": \"to Ada\"}, {\"kind\": \"mail\"}]");

    CliResult cliResult = run("submit", file.toString());

    assertThat(cliResult.code()).as(cliResult.err()).isZero();
    assertThat(cliResult.lines().getFirst()).matches("batch [0-9a-f-]{36}: 2 tasks");
    assertThat(cliResult.out()).contains("to Ada", "Pending", "Follow it with: perdure watch ");
  }

  @Test
  void says_what_to_type_as_it_was_called() {
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
  void standard_input_for_a_program() {
    CliResult cliResult =
        shell().stdin("[{\"kind\": \"a\"}, {\"kind\": \"b\"}]").run("submit", "-", "--json");

    assertThat(cliResult.code()).isZero();
    assertThat(cliResult.json())
        .extracting(task -> task.get("kind").stringValue())
        .containsExactly("a", "b");
  }

  @Test
  void shows_the_first_of_many() {
    String many =
        IntStream.range(0, 25)
            .mapToObj(i -> "{\"kind\": \"mail\"}")
            .collect(Collectors.joining(",", "[", "]"));

    CliResult cliResult = shell().stdin(many).run("submit", "-");

    assertThat(cliResult.lines().getFirst()).endsWith(": 25 tasks");
    assertThat(cliResult.out()).contains("… and 5 more\n");
  }

  @Test
  void tells_everything_that_the_server_finds_wrong() {
    CliResult cliResult =
        shell()
            .stdin("[{\"knd\": \"mail\"}, {\"kind\": \"x\", \"timeout\": -1}]")
            .run("submit", "-");

    assertRefused(cliResult, 2, "did you mean 'kind'?", "timeout");
    assertThat(cliResult.err().lines()).hasSizeGreaterThan(1);
  }

  @Test
  void tells_a_program_in_json() {
    CliResult cliResult = shell().stdin("{\"knd\": \"mail\"}").run("submit", "-", "--json");

    assertThat(cliResult.code()).isEqualTo(2);
    assertThat(cliResult.errors().get(0).get("path").stringValue()).isNotEmpty();
  }

  @Test
  void an_envelope() {
    CliResult cliResult =
        shell().stdin("{\"tasks\": [{\"kind\": \"a\"}, {\"kind\": \"b\"}]}").run("submit", "-");

    assertThat(cliResult.code()).as(cliResult.err()).isZero();
    assertThat(cliResult.lines().getFirst()).endsWith(": 2 tasks");
  }

  @Test
  void under_a_key_is_done_once() {
    for (int i = 0; i < 2; i++) {
      CliResult cliResult =
          shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--idempotency-key", "night 1");
      assertThat(cliResult.code()).as(cliResult.err()).isZero();
    }
    assertThat(run("tasks", "--json").json()).hasSize(1);
    assertRefused(
        shell().stdin("{\"kind\": \"b\"}").run("submit", "-", "--idempotency-key", "night 1"),
        2,
        "Idempotency-Key");
    assertRefused(
        shell().stdin("{}").run("submit", "-", "--idempotency-key", "ä"),
        2,
        "--idempotency-key: must have");
  }

  @Test
  void whose_answer_is_lost_is_sent_again_and_done_once() throws IOException {
    try (ResponseDroppingProxy proxy = new ResponseDroppingProxy(server.port(), 1)) {
      CliResult cliResult =
          shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--url", proxy.url());

      assertThat(cliResult.code()).as(cliResult.err()).isZero();
      assertThat(proxy.forwarded()).isEqualTo(2);
    }
    assertThat(run("tasks", "--json").json()).hasSize(1);
  }

  @Test
  void whose_answer_is_lost_twice_says_how_to_go_on() throws IOException {
    String key;
    try (ResponseDroppingProxy proxy = new ResponseDroppingProxy(server.port(), 2)) {
      CliResult cliResult =
          shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--url", proxy.url());

      assertRefused(cliResult, 2, "broke off", "send it again with --idempotency-key ");
      key = cliResult.err().replaceFirst("(?s).*--idempotency-key (\\S+), .*", "$1");
    }
    CliResult again =
        shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--idempotency-key", key);
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(run("tasks", "--json").json()).hasSize(1);
  }

  /** Answers as it is told; no number is no answer. */
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
                (status == 201 ? "[]" : "{\"title\": \"x\", \"detail\": \"too busy\"}")
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
  void that_is_refused_for_a_while_is_sent_again_under_its_key() throws IOException {
    List<String> keys = new CopyOnWriteArrayList<>();

    CliResult cliResult = submitTo(scripted(List.of(503, 201), keys));

    assertThat(cliResult.code()).as(cliResult.err()).isZero();
    assertThat(keys).hasSize(2).doesNotContainNull();
    assertThat(Set.copyOf(keys)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 0})
  void that_is_refused_for_a_while_at_last_tells_its_key(int first) throws IOException {
    List<String> keys = new CopyOnWriteArrayList<>();

    CliResult cliResult = submitTo(scripted(List.of(first, 503), keys));

    assertRefused(cliResult, 2, "too busy; send it again with --idempotency-key " + keys.getLast());
    assertThat(Set.copyOf(keys)).hasSize(1);
  }

  @Test
  void that_reached_nobody_is_not_said_to_be_done() throws IOException {
    String url;
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      url = "http://127.0.0.1:" + nobody.getLocalPort();
    }
    CliResult cliResult = shell().stdin("{\"kind\": \"a\"}").run("submit", "-", "--url", url);

    assertRefused(cliResult, 2, url);
    assertThat(cliResult.err()).doesNotContain("--idempotency-key");
  }

  @Test
  void no_file_is_told() {
    assertRefused(run("submit", "no-such.json"), 2, "there is no file 'no-such.json'");
    assertRefused(shell().stdin("no json").run("submit", "-"), 2, "FILE: is not JSON at line 1");
    assertRefused(
        shell().stdin("[]").run("submit", "-"), 2, "FILE: must contain at least one task");
    assertRefused(shell().stdin(" ").run("submit", "-"), 2, "FILE: is empty");
  }
}
