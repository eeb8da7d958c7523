// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.server.Eventually;
import dev.perdure.server.access.HandleKey;
import dev.perdure.server.access.HandleTokens;
import dev.perdure.server.trace.Tracing;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.RequestComposer;
import dev.perdure.server.webhook.encryption.EncryptionKeys;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.guard.AllowList;
import dev.perdure.server.webhook.send.CallResult;
import dev.perdure.server.webhook.send.HttpSender;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class StartWebhookHandlerTest {

  private static final Duration RETRY_IN = Duration.ofMinutes(4);

  private final Queue<String> attempted = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ticks = new AtomicInteger();
  @TempDir private Path folder;
  private JdbcStore store;
  private Engine engine;

  @BeforeEach
  void open() {
    store = JdbcStore.open("sqlite:" + folder.resolve("perdure.db"));
    engine = Engine.builder(store).build();
  }

  @AfterEach
  void close() {
    engine.close();
    store.close();
  }

  private StartWebhookHandler handler(HttpSender sender) {
    EngineListener counting =
        new EngineListener() {
          @Override
          public void onDeliveryAttempted(String trigger, DeliveryOutcome outcome, Duration took) {
            attempted.add(trigger + " " + outcome.text() + " " + took);
          }
        };
    return new StartWebhookHandler(
        new ActionJson(new AddressGuard(AllowList.parse("127.0.0.1"))),
        new StoredActions(new SecretEncryptor(EncryptionKeys.parse(""), new SplittableRandom(3))),
        new RequestComposer(null),
        sender,
        new CallbackUrl(
            new HandleTokens(List.of(HandleKey.generate("1", new SplittableRandom(4))))),
        new BatchDataReader(store.batches()),
        new CallTelemetry(InstantSource.system(), this::monotonic, counting, Tracing.OFF));
  }

  private Duration monotonic() {
    return Duration.ofSeconds(ticks.getAndAdd(7));
  }

  /** Submits a webhook task and waits for the end of its first attempt. */
  private Attempt runFirstAttempt(String host, HttpSender sender) throws Exception {
    engine.registerQueue(Webhooks.QUEUE, handler(sender), HandlerOptions.defaults());
    engine.start();
    String actions =
        """
        {"on_start": {"kind": "Webhook", "params":
          {"url": "http://%s/", "verb": "Post", "completion": "response"}}}"""
            .formatted(host);
    UUID id =
        engine.submit(
            NewTask.of("etl", 1)
                .queue(Webhooks.QUEUE)
                .actions(actions)
                .retry(RetryPolicy.fixed(Duration.ofHours(1)).maxRetries(3).build())
                .timeout(Duration.ofMinutes(1)));
    return Eventually.await(() -> engine.attempts(id), list -> !list.isEmpty()).getFirst();
  }

  private Task task(Attempt attempt) {
    return engine.find(attempt.task()).orElseThrow();
  }

  @Test
  void a_throttled_start_is_snoozed_without_using_a_retry() throws Exception {
    Attempt attempt = runFirstAttempt("127.0.0.1", call -> new CallResult.Throttled(RETRY_IN));

    assertThat(attempt.details().outcome()).isEqualTo(AttemptOutcome.SNOOZED);
    assertThat(attempt.details().delay()).isEqualTo(RETRY_IN);
    assertThat(task(attempt).retryCounters().attempt()).isZero();
    assertThat(attempted).as("no call was made").isEmpty();
  }

  /** The address was allowed at submission; the allow-list has changed since. */
  @Test
  void a_refused_start_is_not_retried() throws Exception {
    HttpSender unused =
        call -> {
          throw new AssertionError("the sender was called");
        };
    Attempt attempt = runFirstAttempt("10.0.0.1", unused);

    assertThat(attempt.details().code()).isEqualTo(CallResult.REFUSED);
    assertThat(task(attempt).state()).isEqualTo(TaskState.FAILURE);
  }

  @Test
  void a_truncated_response_is_not_stored_and_is_logged() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      Attempt attempt =
          runFirstAttempt(
              "127.0.0.1", call -> new CallResult.Responded(200, null, "[\"half of", true));

      assertThat(attempt.details().outcome()).isEqualTo(AttemptOutcome.SUCCESS);
      assertThat(attempt.details().result()).isNull();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8)).contains("WARN", "no result is stored");
    assertThat(attempted).containsExactly("on_start sent PT7S");
  }
}
