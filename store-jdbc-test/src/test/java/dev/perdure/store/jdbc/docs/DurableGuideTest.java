// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.docs;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.SubmissionKey;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.DurableRetry;
import dev.perdure.retry.HandedOverException;
import dev.perdure.retry.Retry;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.testing.RecordingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The Java examples of the guide to durable tasks, compiled and run. */
class DurableGuideTest {

  record EmailJob(String to) {}

  private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
  private final RecordingListener recordingListener = new RecordingListener();
  private @TempDir Path folder;
  private JdbcStore store;
  private String url;

  @BeforeEach
  void opens() {
    url = "sqlite:" + folder.resolve("perdure.db");
    store = JdbcStore.open(url);
  }

  @AfterEach
  void closes() {
    store.close();
  }

  private void send(EmailJob job) {
    sent.add(job.to());
  }

  @Test
  void the_quick_start_is_a_program_with_the_imports_of_the_guide() {
    UUID id = EmailApp.run(url);

    assertThat(store.reader().find(id)).isPresent();
  }

  @Test
  void first_example() throws Exception {
    DurableGuideTest mailer = this;
    String url = this.url;
    store.close();

    JdbcStore store = JdbcStore.open(url); // or "postgres://user:password@host/database"
    Engine engine = Engine.on(store);
    engine.register("send-email", EmailJob.class, (job, context) -> mailer.send(job));
    engine.start();

    RetryPolicy policy = RetryPolicy.exponential(ofSeconds(1)).maxRetries(5).build();
    UUID id =
        engine.submit(NewTask.of("send-email", new EmailJob("ada@example.org")).retry(policy));
    CompletableFuture<String> elsewhere = CompletableFuture.supplyAsync(() -> stopAfter(engine));

    engine.awaitStop(); // until another thread, such as a shutdown hook, stops it

    assertThat(elsewhere).succeedsWithin(ofSeconds(20)).isEqualTo("ada@example.org");
    assertThat(store.reader().find(id).orElseThrow().state()).isEqualTo(TaskState.SUCCESS);
    store.close();
  }

  private String stopAfter(Engine engine) {
    try {
      return sent.poll(30, TimeUnit.SECONDS);
    } catch (InterruptedException interrupt) {
      throw new CancellationException();
    } finally {
      engine.stop(ofSeconds(30));
    }
  }

  record CopyJob(List<String> rows) {}

  private void copy(String row) {
    sent.add(row);
  }

  @Test
  void stopping_early() throws Exception {
    Engine engine = Engine.builder(store).listener(recordingListener).build();
    engine.register(
        "copy",
        CopyJob.class,
        (job, context) -> {
          for (String row : job.rows()) {
            if (context.stopping()) {
              throw context.handBack();
            }
            copy(row);
          }
        });
    engine.start();
    UUID id = engine.submit(NewTask.of("copy", new CopyJob(List.of("a", "b"))));
    recordingListener.awaitState(id, TaskState.SUCCESS);
    assertThat(sent).containsExactly("a", "b");
    engine.close();
  }

  private void book(Connection connection, EmailJob job) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE booked AS SELECT '" + job.to() + "' AS name");
    }
  }

  @Test
  void in_the_handlers_own_transaction() throws Exception {
    SQLiteDataSource dataSource = new SQLiteDataSource();
    dataSource.setUrl("jdbc:" + url);
    Engine engine = Engine.builder(store).listener(recordingListener).build();
    engine.register(
        "book",
        EmailJob.class,
        (job, context) -> {
          try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            book(connection, job);
            context.settleIn(store.inTransaction(connection));
            connection.commit();
          }
        });
    engine.start();
    UUID id = engine.submit(NewTask.of("book", new EmailJob("ada@example.org")));
    recordingListener.awaitState(id, TaskState.SUCCESS);
    assertThat(engine.attempts(id)).hasSize(1);
    engine.close();
  }

  @Test
  void handler_outcomes() throws Exception {
    Engine engine = Engine.builder(store).listener(recordingListener).build();
    engine.register(
        "import",
        EmailJob.class,
        (job, context) -> {
          switch (job.to()) {
            case "busy" -> throw context.retryAfter(ofMinutes(5), "they are busy");
            case "full" -> throw context.fail("no_slots", "nothing free today");
            case "unknown" -> throw context.permanent("no such customer");
            case "early" -> throw context.snooze(ofMinutes(1));
            default -> {
              context.progress(1, 1);
              context.result("imported " + job.to());
            }
          }
        });
    engine.start();
    RetryPolicy policy = RetryPolicy.queue();

    UUID busy = engine.submit(NewTask.of("import", new EmailJob("busy")).retry(policy));
    UUID unknown = engine.submit(NewTask.of("import", new EmailJob("unknown")).retry(policy));
    UUID fine = engine.submit(NewTask.of("import", new EmailJob("fine")));
    recordingListener.awaitState(busy, TaskState.RETRY_PENDING);
    recordingListener.awaitState(unknown, TaskState.FAILURE);
    recordingListener.awaitState(fine, TaskState.SUCCESS);

    assertThat(engine.attempts(busy).getFirst().delay()).isEqualTo(ofMinutes(5));
    assertThat(engine.find(fine).orElseThrow().lastResult().result())
        .isEqualTo("\"imported fine\"");
    engine.close();
  }

  @Test
  void typed_kind() {
    Engine engine = Engine.on(store);
    engine.register(
        "charge",
        EmailJob.class,
        (job, context) -> send(job),
        HandlerOptions.concurrency(4)
            .withRetryIf(failure -> failure instanceof IOException)
            .withBackoff((attempt, failure) -> attempt == 0 ? Duration.ZERO : null));
    assertThat(engine.statistics().byState()).isEmpty();
  }

  record Order(int number) {}

  private void pay(Order order, String key) throws IOException {
    sent.add(order.number() + " " + key);
    if (sent.size() == 1) {
      throw new IOException("not now");
    }
  }

  private void reply(String text) {
    sent.add(text);
  }

  @Test
  void continuing_after_the_process() throws Exception {
    Engine engine = Engine.builder(store).listener(recordingListener).build();
    RetryPolicy policy = RetryPolicy.fixed(ofSeconds(30)).maxRetries(3).build();
    Order order = new Order(7);

    engine.register("charge", Order.class, (job, context) -> pay(job, context.idempotencyKey()));
    engine.start();

    DurableRetry charge = Retry.of(policy).thenDurably(engine, "charge");
    try {
      charge.run(order, context -> pay(order, context.idempotencyKey()));
    } catch (HandedOverException later) {
      reply("we are working on it: " + later.taskId());
    }

    UUID id = engine.tasks().list(TaskFilter.all(), PageRequest.first(1)).tasks().getFirst().id();
    engine.retryNow(id);
    recordingListener.awaitState(id, TaskState.SUCCESS);
    assertThat(List.copyOf(sent).get(1)).endsWith(id.toString());
    assertThat(List.copyOf(sent).get(2)).isEqualTo(List.copyOf(sent).get(0));
    engine.close();
  }

  @Test
  void in_the_callers_transaction() throws Exception {
    Engine engine = Engine.on(store);
    NewTask receipt = NewTask.of("send-email", new EmailJob("ada@example.org"));
    try (Connection connection = DriverManager.getConnection("jdbc:" + url)) {
      connection.setAutoCommit(false);
      // … your own INSERT or UPDATE …
      UUID id = engine.submit(receipt, store.inTransaction(connection));
      connection.commit();
      assertThat(engine.find(id)).isPresent();
    }
  }

  @Test
  void a_key_in_the_callers_transaction() throws Exception {
    Engine engine = Engine.on(store);
    NewTask receipt = NewTask.of("send-email", new EmailJob("ada@example.org"));
    try (Connection connection = DriverManager.getConnection("jdbc:" + url)) {
      connection.setAutoCommit(false);
      UUID id =
          engine.submit(receipt, SubmissionKey.of("order-42"), store.inTransaction(connection));
      connection.commit();
      assertThat(engine.submit(receipt, SubmissionKey.of("order-42"))).isEqualTo(id);
    }
  }

  @Test
  void several_tasks_and_their_receipt() {
    Engine engine = Engine.on(store);
    List<NewTask> tasks =
        List.of(NewTask.of("send-email", "ada"), NewTask.of("send-email", "grace"));

    SubmissionReceipt receipt = engine.submitAll(tasks, SubmissionKey.of("order-42"));
    UUID batch = receipt.batch();
    List<UUID> ids = receipt.ids(); // in the order of the tasks

    assertThat(ids).extracting(id -> engine.find(id).orElseThrow().batch()).containsOnly(batch);
    SubmissionReceipt again = engine.submitAll(tasks, SubmissionKey.of("order-42"));
    assertThat(again).isEqualTo(new SubmissionReceipt(batch, ids, SubmissionStatus.DUPLICATE));
  }

  @Test
  void the_key_of_a_submission_and_the_key_for_the_handler() {
    Engine engine = Engine.on(store);
    Order order = new Order(7);

    NewTask charge = NewTask.of("charge", order).idempotencyKeyForHandler("order-7");
    engine.submit(charge, SubmissionKey.of("order-7"));

    engine.submit(charge, SubmissionKey.of("order-7"));
    assertThat(engine.tasks().count(TaskFilter.all(), 10)).isEqualTo(1);
    engine.submit(charge);
    assertThat(engine.tasks().count(TaskFilter.all(), 10)).isEqualTo(2);
  }

  @Test
  void operator_actions() throws Exception {
    Engine engine = Engine.builder(store).listener(recordingListener).build();
    engine.register(
        "send-email",
        EmailJob.class,
        (job, context) -> {
          throw new IOException("line busy");
        });
    engine.start();
    RetryPolicy once = RetryPolicy.fixed(Duration.ofDays(7)).maxRetries(1).build();
    UUID id = engine.submit(NewTask.of("send-email", new EmailJob("a")).retry(once));
    recordingListener.awaitState(id, TaskState.RETRY_PENDING);

    Task task = engine.find(id).orElseThrow();
    List<Attempt> attempts = engine.attempts(id);
    List<TaskRow> waiting =
        engine.tasks().list(TaskFilter.in(TaskState.RETRY_PENDING), PageRequest.first(50)).tasks();
    List<TaskRow> parked =
        engine.tasks().list(TaskFilter.in(DisplayStatus.PARKED), PageRequest.first(50)).tasks();

    assertThat(task.lastResult().failureReason()).isEqualTo("line busy");
    assertThat(attempts).hasSize(1);
    assertThat(waiting).hasSize(1);
    assertThat(parked).isEmpty();
    engine.pause(id);
    engine.resume(id);
    engine.retryNow(id);
    recordingListener.awaitState(id, TaskState.FAILURE);
    engine.revive(id);
    engine.cancel(id);
    engine.close();
  }
}
