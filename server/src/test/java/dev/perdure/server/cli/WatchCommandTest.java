// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.server.TestServer;
import dev.perdure.server.cli.TestShell.Answer;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Follows tasks that a second process, here an engine on the same file, really does. */
class WatchCommandTest {

  private static final String THREE =
      "[{\"kind\": \"good\"}, {\"kind\": \"good\"}, {\"kind\": \"bad\"}]";

  @TempDir private Path folder;
  private TestServer server;
  private JdbcStore store;
  private Engine engine;
  private final CountDownLatch released = new CountDownLatch(1);

  @BeforeEach
  void start() {
    server = TestServer.in(folder);
    store = JdbcStore.open("sqlite:" + folder.resolve("perdure.db"));
    engine = Engine.builder(store).poll(Duration.ofMillis(20)).build();
    engine.register("good", JsonNode.class, (payload, context) -> {});
    engine.register(
        "bad",
        JsonNode.class,
        (payload, context) -> {
          throw new IllegalStateException("it never works");
        });
    engine.register("slow", JsonNode.class, (payload, context) -> released.await());
  }

  @AfterEach
  void stop() {
    released.countDown();
    engine.stop(Duration.ofSeconds(5));
    store.close();
    server.close();
  }

  private TestShell shell() {
    return new TestShell().environment("PERDURE_URL", server.url().toString());
  }

  private String batch(String tasks) {
    return shell()
        .stdin(tasks)
        .run("submit", "-", "--json")
        .json()
        .getFirst()
        .get("batch_id")
        .stringValue();
  }

  @Test
  void ends_when_all_have_ended_and_says_whether_all_went_well() {
    String good = batch("[{\"kind\": \"good\"}, {\"kind\": \"good\"}]");
    String mixed = batch(THREE);
    engine.start();

    Answer well = shell().run("watch", good, "--every", "20ms");
    assertThat(well.code()).as(well.err()).isZero();
    assertThat(well.lines().getLast()).isEqualTo("2 of 2 ended: 2 Success");
    assertThat(well.lines()).doesNotHaveDuplicates();

    Answer badly = shell().run("watch", mixed, "--every", "20ms");
    assertThat(badly.code()).isEqualTo(1);
    assertThat(badly.lines().getLast()).isEqualTo("3 of 3 ended: 2 Success, 1 Failure");
  }

  @Test
  void tells_programs_in_json() {
    String batch = batch(THREE);
    engine.start();

    Answer answer = shell().run("watch", batch, "--every", "20ms", "--json");

    JsonNode last = answer.json().getLast();
    assertThat(last.get("live").longValue()).isZero();
    assertThat(last.get("ended").longValue()).isEqualTo(3);
    assertThat(last.get("by_status").get("Success").longValue()).isEqualTo(2);
  }

  @Test
  void draws_bars_on_a_terminal_that_never_leave_its_width() {
    String batch = batch(THREE);
    engine.start();
    shell().run("watch", batch, "--every", "20ms");

    for (int width : List.of(60, 80, 160)) {
      Answer answer = shell().terminal(width).run("watch", batch, "--color=never");
      assertThat(answer.out()).contains("batch " + batch, "████", "100 %  3 of 3 ended");
      assertThat(answer.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= width);
    }
    assertThat(shell().terminal(80).run("watch", batch).out()).contains("\u001B[32m█");
    assertThat(shell().terminal(80).environment("TERM", "dumb").run("watch", batch).out())
        .isEqualTo("3 of 3 ended: 2 Success, 1 Failure\n");
  }

  @Test
  void writes_over_what_it_wrote_and_shows_what_runs() {
    String batch = batch("[{\"kind\": \"slow\", \"name\": \"the long one\"}]");
    engine.start();
    String id = shell().run("tasks", "--json").json().getFirst().get("id").stringValue();
    Answer answer =
        shell()
            .terminal(120)
            .run("watch", batch, "--every", "20ms", "--timeout", "4s", "--color=never");

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.err()).isEqualTo("perdure: the time is up, and not all have ended\n");
    assertThat(answer.out()).contains("\u001B[6A\u001B[J", id, "the long one", "1 Running");
  }

  @Test
  void leaves_out_what_had_ended_before_when_it_follows_everything() {
    batch(THREE);
    engine.start();
    shell().run("watch", "--every", "20ms");

    Answer answer = shell().run("watch");

    assertThat(answer.code()).isZero();
    assertThat(answer.out()).isEqualTo("0 of 0 ended\n");
  }

  @Nested
  @Timeout(30)
  class WhenTheServerHangs {

    private Answer watch(ServerSocket silent) {
      return new TestShell()
          .environment("PERDURE_URL", "http://127.0.0.1:" + silent.getLocalPort())
          .run("watch", "--timeout", "300ms");
    }

    @Test
    void waits_no_longer_than_it_was_told() throws IOException {
      try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
        Answer answer = watch(silent);

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err()).isEqualTo("perdure: the time is up, and not all have ended\n");
      }
    }

    @Test
    void waits_no_longer_for_an_answer_that_does_not_end() throws IOException {
      try (ServerSocket halting = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
        Thread.ofVirtual().start(() -> begin(halting));

        assertThat(watch(halting).code()).isEqualTo(1);
      }
    }

    private static void begin(ServerSocket socket) {
      try {
        Socket caller = socket.accept();
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[";
        caller.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // The test is over.
      }
    }
  }

  @Test
  void tells_what_is_wrong() {
    String nobody = "00000000-0000-7000-8000-000000000000";

    assertThat(shell().run("watch", nobody).code()).isEqualTo(1);
    assertThat(shell().run("watch", nobody).err())
        .isEqualTo("perdure: there is no batch " + nobody + "\n");
    assertThat(shell().run("watch", "x").err()).contains("batch_id: 'x' is not an id");
    assertThat(shell().run("watch", "--every", "0s").err())
        .contains("--every: must be more than 0");
  }
}
