// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static dev.perdure.server.webhook.send.SenderOptions.MAX_RESPONSE_BYTES;

import dev.perdure.engine.QueueHandler;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldErrors;
import dev.perdure.server.http.JsonBody;
import dev.perdure.server.trace.CallSpan;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.ActionTrigger;
import dev.perdure.server.webhook.action.BatchData;
import dev.perdure.server.webhook.action.CallContext;
import dev.perdure.server.webhook.action.CompletionMode;
import dev.perdure.server.webhook.action.RequestComposer;
import dev.perdure.server.webhook.action.WebhookAction;
import dev.perdure.server.webhook.action.WebhookTaskData;
import dev.perdure.server.webhook.send.CallResult;
import dev.perdure.server.webhook.send.HttpSender;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs tasks by calling their {@code on_start} webhook. Only this thread waits for the callee; no
 * database connection or transaction is open during the call.
 *
 * <p>The start of the attempt is written before the call. If this node dies before it records the
 * response, the attempt is lost and the webhook is sent again with the same handle and the same
 * idempotency key: the callee may have been working all along.
 */
final class StartWebhookHandler implements QueueHandler {

  private static final String SUBJECT = "the webhook ";
  private static final Logger LOG = LoggerFactory.getLogger(StartWebhookHandler.class);

  private static final Duration READ_AGAIN_AFTER = Duration.ofSeconds(1);

  /** Has the limits of request bodies: deeper JSON could be stored but not shown. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(JsonBody.LIMITS).build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final ActionJson reader;
  private final StoredActions actions;
  private final RequestComposer composer;
  private final HttpSender sender;
  private final CallbackUrl callback;
  private final BatchDataReader batches;
  private final CallTelemetry telemetry;

  StartWebhookHandler(
      ActionJson reader,
      StoredActions actions,
      RequestComposer composer,
      HttpSender sender,
      CallbackUrl callback,
      BatchDataReader batches,
      CallTelemetry telemetry) {
    this.reader = reader;
    this.actions = actions;
    this.composer = composer;
    this.sender = sender;
    this.callback = callback;
    this.batches = batches;
    this.telemetry = telemetry;
  }

  @Override
  public void handle(TaskContext context) {
    FieldErrors errors = new FieldErrors();
    WebhookAction action = action(context, errors);
    CallResult result = action == null ? CallResult.Refusal.of(errors) : call(action, context);
    if (result instanceof CallResult.Throttled throttled) {
      throw context.snooze(throttled.retryIn());
    }
    if (action != null && result instanceof CallResult.Responded responded && responded.ok()) {
      if (action.completion() == CompletionMode.CALLBACK) {
        throw context.handOff(cancelAction(responded, context.task()));
      }
      saveResult(context, responded);
      return;
    }
    // The shutdown interrupted the call, so the attempt has not failed.
    if (!(result instanceof CallResult.Responded) && context.stopping()) {
      throw context.handBack();
    }
    Failure failure = result.failure().orElseThrow();
    throw context.fail(action == null ? failure : withHost(failure, action.url().host()));
  }

  /** Failures of different hosts are different errors, so the message names the host. */
  private static Failure withHost(Failure failure, String host) {
    String message = failure.message();
    return message != null && message.startsWith(SUBJECT)
        ? failure.withMessage(SUBJECT + "to " + host + " " + message.substring(SUBJECT.length()))
        : failure;
  }

  /** Checked again, because the allow-list may have changed since the submission. */
  private @Nullable WebhookAction action(TaskContext context, FieldErrors errors) {
    JsonNode json = decryptedAction(context);
    return reader.read(json, ActionTrigger.START.field(), ActionTrigger.START, errors);
  }

  /**
   * Parks the task when no key decrypts it: a wrong key of the server is not the task's failure.
   */
  private JsonNode decryptedAction(TaskContext context) {
    String stored = String.valueOf(context.task().definition().actions());
    try {
      return actions.action(StoredActions.parse(stored), ActionTrigger.START, 0);
    } catch (IllegalStateException e) {
      throw context.park("on_start cannot be decrypted: " + e.getMessage());
    }
  }

  private CallResult call(WebhookAction action, TaskContext context) {
    BatchData batch = batchData(action, context);
    Duration before = telemetry.monotonic().get();
    Task task = context.task();
    CallSpan span =
        telemetry.startSpan(context.traceParent(), task.id(), ActionTrigger.START.field(), action);
    CallContext call = callContext(action, context, batch, span.context());
    CallResult result = sender.send(composer.compose(action, call));
    telemetry.endSpan(span, result);
    if (!(result instanceof CallResult.Throttled)) {
      boolean arrived = result.failure().isEmpty();
      telemetry
          .listener()
          .onDeliveryAttempted(
              ActionTrigger.START.field(),
              arrived ? DeliveryOutcome.SENT : DeliveryOutcome.FAILED,
              telemetry.monotonic().get().minus(before));
    }
    return result;
  }

  /** An unreachable database is not the task's failure, so it tries again soon. */
  private BatchData batchData(WebhookAction action, TaskContext context) {
    try {
      return batches.read(action, context.task().id(), context.task().batch());
    } catch (StoreException unreadable) {
      throw context.snooze(READ_AGAIN_AFTER);
    }
  }

  private CallContext callContext(
      WebhookAction action, TaskContext context, BatchData batch, TraceContext trace) {
    Task task = context.task();
    WebhookTaskData data =
        new WebhookTaskData(
            task.id(), ActionTrigger.START.status(), task.retryCounters().attempt(), null, null);
    boolean callsBack = action.completion() == CompletionMode.CALLBACK;
    return new CallContext(
        data,
        batch,
        ActionTrigger.START,
        0,
        telemetry.clock().instant(),
        callsBack ? callback.of(task.id(), context.issueHandle()) : null,
        trace,
        null);
  }

  /** The cancel action in the callee's response, which tells the callee to stop; null for none. */
  private @Nullable String cancelAction(CallResult.Responded responded, Task task) {
    JsonNode json = json(responded);
    boolean isAction = json != null && json.isObject() && json.has("kind") && json.has("params");
    if (json == null || !isAction) {
      return null;
    }
    FieldErrors errors = new FieldErrors();
    if (reader.read(json, "", ActionTrigger.CANCEL, errors) == null) {
      LOG.atWarn()
          .addKeyValue("task", task.id())
          .log("ignoring the cancel action in the response to on_start: {}", errors.list());
      return null;
    }
    return actions.serialize(ActionTrigger.CANCEL, json);
  }

  /** Drops a truncated response: half a result would look like a whole one. */
  private static void saveResult(TaskContext context, CallResult.Responded responded) {
    JsonNode json = json(responded);
    if (responded.truncated()) {
      LOG.atWarn()
          .addKeyValue("task", context.task().id())
          .log("the response exceeds {} bytes, so no result is stored", MAX_RESPONSE_BYTES);
    } else if (json != null) {
      context.result(json);
    } else if (!responded.body().isEmpty()) {
      context.result(responded.body());
    }
  }

  /** The response as JSON; null when it is truncated, empty, nested too deeply or not JSON. */
  private static @Nullable JsonNode json(CallResult.Responded responded) {
    if (responded.truncated() || responded.body().isBlank()) {
      return null;
    }
    try {
      return MAPPER.readTree(responded.body());
    } catch (JacksonException e) {
      return null;
    }
  }
}
