// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Follows tasks that a second engine on the same file runs. */
@Tag("slow")
@Timeout(120)
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
    engine = Engine.builder(store).pollInterval(Duration.ofMillis(20)).build();
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

  private TestCli shell() {
    return new TestCli().environment("PERDURE_URL", server.url().toString());
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
  void ends_when_all_tasks_have_ended_and_exits_with_the_outcome() {
    String good = batch("[{\"kind\": \"good\"}, {\"kind\": \"good\"}]");
    String mixed = batch(THREE);
    engine.start();

    CliResult succeeded = shell().run("watch", good, "--every", "20ms");
    assertThat(succeeded.code()).as(succeeded.err()).isZero();
    assertThat(succeeded.lines().getLast()).isEqualTo("2 of 2 ended: 2 Success");
    assertThat(succeeded.lines()).doesNotHaveDuplicates();

    CliResult failed = shell().run("watch", mixed, "--every", "20ms");
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.lines().getLast()).isEqualTo("3 of 3 ended: 2 Success, 1 Failure");
  }

  @Test
  void prints_json() {
    String batch = batch(THREE);
    engine.start();

    CliResult result = shell().run("watch", batch, "--every", "20ms", "--json");

    JsonNode last = result.json().getLast();
    assertThat(last.get("live").longValue()).isZero();
    assertThat(last.get("ended").longValue()).isEqualTo(3);
    assertThat(last.get("by_status").get("Success").longValue()).isEqualTo(2);
  }

  @Test
  void draws_bars_within_the_width_of_the_terminal() {
    String batch = batch(THREE);
    engine.start();
    shell().run("watch", batch, "--every", "20ms");

    for (int width : List.of(30, 50, 60, 80, 160)) {
      CliResult result = shell().terminal(width).run("watch", batch, "--color=never");
      assertThat(result.out()).contains(batch.substring(0, 20), "████");
      assertThat(result.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= width);
    }
    assertThat(shell().terminal(80).run("watch", batch).out()).contains("\u001B[32m█");
    assertThat(shell().terminal(80).environment("TERM", "dumb").run("watch", batch).out())
        .isEqualTo("3 of 3 ended: 2 Success, 1 Failure\n");
  }

  @Test
  void redraws_the_terminal_and_shows_running_tasks() {
    String batch = batch("[{\"kind\": \"slow\", \"name\": \"the long one\"}]");
    engine.start();
    String id = shell().run("tasks", "--json").json().getFirst().get("id").stringValue();
    String redraw = "\u001B[6A\u001B[J";
    ByteArrayOutputStream seen =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            if (toString(StandardCharsets.UTF_8).contains(redraw)) {
              released.countDown();
            }
          }
        };

    CliResult result =
        shell().terminal(120).runInto(seen, "watch", batch, "--every", "20ms", "--color=never");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).contains(redraw, id.substring(4, 18), "the long one");
    assertThat(result.out()).contains("1 Running");
  }

  @Test
  void ends_after_the_timeout() {
    String batch = batch("[{\"kind\": \"slow\"}]");

    CliResult result = shell().run("watch", batch, "--every", "20ms", "--timeout", "500ms");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("perdure: timed out before all tasks had ended\n");
  }

  @Test
  void leaves_out_tasks_that_ended_before_it_started() {
    batch(THREE);
    engine.start();
    shell().run("watch", "--every", "20ms");

    CliResult result = shell().run("watch");

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo("0 of 0 ended\n");
  }

  @Test
  void counts_paused_tasks_as_they_are_shown() {
    String batch = batch("[{\"kind\": \"good\"}, {\"kind\": \"good\"}, {\"kind\": \"good\"}]");
    for (JsonNode task : shell().run("tasks", "--json").json()) {
      shell().run("pause", task.get("id").stringValue());
    }

    assertThat(firstLine(batch)).isEqualTo("0 of 3 ended: 3 Paused");

    // The first call has resumed one.
    JsonNode json = JsonMapper.shared().readTree(firstLine(batch, "--json"));
    assertThat(json.get("by_status").get("Paused").longValue()).isEqualTo(2);
    assertThat(json.get("by_status").get("Pending").longValue()).isEqualTo(1);
    assertThat(json.get("live").longValue()).isEqualTo(3);
  }

  /** The first line of watch. A task is resumed then, so that watch writes again and ends. */
  private String firstLine(String batch, String... options) {
    String[] args =
        Stream.concat(Stream.of("watch", batch, "--every", "20ms"), Stream.of(options))
            .toArray(String[]::new);
    BrokenPipeStream reader = BrokenPipeStream.after(1, this::resumeOne);
    shell().runInto(reader, args);
    return reader.text().strip();
  }

  private void resumeOne() {
    JsonNode paused = shell().run("tasks", "--status", "Paused", "--json").json().getFirst();
    shell().run("resume", paused.get("id").stringValue());
  }

  @Nested
  @Timeout(60)
  class BeyondTheCountLimit {

    private static final int MAX_AT_ONCE = 10_000;

    /** As many tasks have ended as the server counts, and one live task is older. */
    @BeforeEach
    void end() throws IOException {
      batch("[{\"kind\": \"slow\"}]");
      String many = String.join(",", Collections.nCopies(MAX_AT_ONCE, "{\"kind\": \"old\"}"));
      server.post("/task", "[" + many + "]");
      String cancel = "{\"action\": \"cancel\", \"filter\": {\"kind\": \"old\"}}";
      assertThat(server.post("/task/bulk", cancel).status()).isEqualTo(200);
    }

    @Test
    void never_counts_below_zero() {
      engine.start();
      released.countDown();

      CliResult result = shell().run("watch", "--every", "20ms");

      assertThat(result.code()).as(result.out()).isZero();
      assertThat(result.out()).doesNotContain("-");
    }

    private void cancelLiveTask() {
      JsonNode live = shell().run("tasks", "--status", "Pending", "--json").json().getFirst();
      shell().run("cancel", live.get("id").stringValue());
    }

    @Test
    void notices_a_failure_that_the_capped_count_hides() {
      AtomicBoolean canceled = new AtomicBoolean();
      ByteArrayOutputStream canceling =
          new ByteArrayOutputStream() {
            @Override
            public void flush() {
              if (canceled.compareAndSet(false, true)) {
                cancelLiveTask();
              }
            }
          };

      CliResult result = shell().runInto(canceling, "watch", "--every", "20ms");

      assertThat(result.out())
          .isEqualTo("0+ of 1+ ended: 0+ Canceled, 1 Pending\n0+ of 0+ ended: 0+ Canceled\n");
      assertThat(result.code()).isEqualTo(1);
    }

    @Test
    void names_the_capped_counts_in_json() {
      BrokenPipeStream reader = BrokenPipeStream.after(1, this::cancelLiveTask);

      shell().runInto(reader, "watch", "--every", "20ms", "--json");

      assertThat(JsonMapper.shared().readTree(reader.text()).get("at_least").valueStream())
          .extracting(JsonNode::stringValue)
          .containsExactly("Canceled", "ended");
    }
  }

  @Test
  void follows_an_old_task_that_is_revived() {
    InstantSource anHourAgo = () -> Instant.now().minus(Duration.ofHours(1));
    UUID old;
    try (JdbcStore past =
        JdbcStore.builder().url("sqlite:" + folder.resolve("perdure.db")).clock(anHourAgo).open()) {
      old = Engine.on(past).submit(NewTask.of("old", Map.of()));
    }
    shell().run("cancel", old.toString());
    batch("[{\"kind\": \"good\"}]");
    Queue<Runnable> actions =
        new ArrayDeque<>(
            List.of(
                () -> shell().run("retry", old.toString()),
                () -> shell().run("cancel", old.toString()),
                engine::start));
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            if (!actions.isEmpty()) {
              actions.remove().run();
            }
          }
        };

    CliResult result = shell().runInto(out, "watch", "--every", "20ms");

    assertThat(result.lines())
        .startsWith("0 of 1 ended: 1 Pending", "0 of 2 ended: 2 Pending", "0 of 1 ended: 1 Pending")
        .endsWith("1 of 1 ended: 1 Success");
    assertThat(result.code()).as("one was canceled").isEqualTo(1);
  }

  @Test
  @Timeout(60)
  void waits_for_a_server_that_restarts() throws Exception {
    String batch = batch("[{\"kind\": \"slow\"}]");
    engine.start();
    int port = server.port();
    CountDownLatch watches = new CountDownLatch(1);
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            watches.countDown();
          }
        };
    TestCli shell = shell();
    CompletableFuture<CliResult> watching =
        CompletableFuture.supplyAsync(() -> shell.runInto(out, "watch", batch, "--every", "20ms"));
    watches.await();
    server.close();
    try (ServerSocket outage = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      outage.accept().close();
    }
    server = TestServer.in(folder, Map.of(Settings.PORT, Integer.toString(port)));
    released.countDown();

    CliResult result = watching.get(60, TimeUnit.SECONDS);

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.lines().getLast()).isEqualTo("1 of 1 ended: 1 Success");
  }

  @Nested
  @Timeout(30)
  class WhenTheServerHangs {

    private CliResult watch(ServerSocket silent) {
      return new TestCli()
          .environment("PERDURE_URL", "http://127.0.0.1:" + silent.getLocalPort())
          .run("watch", "--timeout", "300ms");
    }

    @Test
    void waits_no_longer_than_the_timeout() throws IOException {
      try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
        CliResult result = watch(silent);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).isEqualTo("perdure: timed out before all tasks had ended\n");
      }
    }

    @Test
    void stops_waiting_for_an_unfinished_response() throws IOException {
      try (ServerSocket unfinished = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
        Thread.ofVirtual().start(() -> begin(unfinished));

        assertThat(watch(unfinished).code()).isEqualTo(1);
      }
    }

    private static void begin(ServerSocket socket) {
      try (Socket caller = socket.accept()) {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[";
        caller.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        // A socket that nothing refers to is closed by the garbage collector.
        caller.getInputStream().transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        // The test is over.
      }
    }
  }

  @Test
  void reports_invalid_arguments() {
    String noBatch = "00000000-0000-7000-8000-000000000000";

    assertThat(shell().run("watch", noBatch).code()).isEqualTo(1);
    assertThat(shell().run("watch", noBatch).err())
        .isEqualTo("perdure: there is no batch " + noBatch + "\n");
    assertThat(shell().run("watch", "x").code()).isEqualTo(1);
    assertThat(shell().run("watch", "x").err()).isEqualTo("perdure: 'x' is not a batch id\n");
    assertThat(shell().run("watch", "--every", "0s").err())
        .contains("--every: must be longer than 0");
  }
}
