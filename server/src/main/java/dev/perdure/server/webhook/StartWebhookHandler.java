// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static dev.perdure.server.webhook.send.SenderOptions.MAX_RESPONSE_BYTES;

import dev.perdure.engine.QueueHandler;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.FieldErrors;
import dev.perdure.server.http.JsonBody;
import dev.perdure.server.trace.CallSpan;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.CallContext;
import dev.perdure.server.webhook.action.CompletionMode;
import dev.perdure.server.webhook.action.RequestComposer;
import dev.perdure.server.webhook.action.Trigger;
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
 * Does tasks by calling their {@code on_start}. Nothing but the caller's thread waits for the
 * callee: no connection to the database, no transaction.
 *
 * <p>That the task runs was written before the call. When this node dies before the answer is
 * written, the attempt is lost and called again, with the same handle and the same key: the callee
 * may have been at work all along.
 */
final class StartWebhookHandler implements QueueHandler {

  private static final Logger LOG = LoggerFactory.getLogger(StartWebhookHandler.class);

  /** As in requests: what is deeper could be kept and then not be shown. */
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
  private final CallTelemetry telemetry;

  StartWebhookHandler(
      ActionJson reader,
      StoredActions actions,
      RequestComposer composer,
      HttpSender sender,
      CallbackUrl callback,
      CallTelemetry watch) {
    this.reader = reader;
    this.actions = actions;
    this.composer = composer;
    this.sender = sender;
    this.callback = callback;
    this.telemetry = watch;
  }

  @Override
  public void handle(TaskContext context) {
    FieldErrors errors = new FieldErrors();
    WebhookAction action = action(context, errors);
    CallResult result = action == null ? CallResult.Refusal.of(errors) : call(action, context);
    if (result instanceof CallResult.Throttled full) {
      throw context.snooze(full.retryIn());
    }
    if (action != null && result instanceof CallResult.Responded responded && responded.ok()) {
      if (action.completion() == CompletionMode.CALLBACK) {
        throw context.handOff(cancelAction(responded, context.task()));
      }
      saveResult(context, responded);
      return;
    }
    // Who broke the call off has not failed at it.
    if (!(result instanceof CallResult.Responded) && context.stopping()) {
      throw context.handBack();
    }
    throw context.fail(result.failure().orElseThrow());
  }

  /** What was right when it was submitted may be refused since: the allow-list has changed. */
  private @Nullable WebhookAction action(TaskContext context, FieldErrors errors) {
    JsonNode json = decryptedAction(context);
    return reader.read(json, Trigger.START.field(), Trigger.START, errors);
  }

  /** That the server was started with another key is no fault of the task. */
  private JsonNode decryptedAction(TaskContext context) {
    String kept = String.valueOf(context.task().definition().actions());
    try {
      return actions.action(StoredActions.parse(kept), Trigger.START, 0);
    } catch (IllegalStateException sealed) {
      throw context.park("its on_start cannot be read: " + sealed.getMessage());
    }
  }

  private CallResult call(WebhookAction action, TaskContext context) {
    Duration before = telemetry.monotonic().get();
    Task task = context.task();
    CallSpan span =
        telemetry.startSpan(context.traceParent(), task.id(), Trigger.START.field(), action);
    CallContext call = callContext(action, context, span.context());
    CallResult result = sender.send(composer.compose(action, call));
    telemetry.endSpan(span, result);
    if (!(result instanceof CallResult.Throttled)) {
      boolean arrived = result.failure().isEmpty();
      telemetry
          .listener()
          .onDeliveryAttempted(
              Trigger.START.field(),
              arrived ? DeliveryOutcome.SENT : DeliveryOutcome.FAILED,
              telemetry.monotonic().get().minus(before));
    }
    return result;
  }

  private CallContext callContext(WebhookAction action, TaskContext context, TraceContext trace) {
    Task task = context.task();
    WebhookTaskData facts =
        new WebhookTaskData(
            task.id(), Trigger.START.status(), task.retryCounters().attempt(), null);
    boolean reports = action.completion() == CompletionMode.CALLBACK;
    return new CallContext(
        facts,
        Trigger.START,
        0,
        telemetry.clock().instant(),
        reports ? callback.of(task.id(), context.issueHandle()) : null,
        trace,
        null);
  }

  /** How the callee is told to stop, if it said so in its answer. */
  private @Nullable String cancelAction(CallResult.Responded responded, Task task) {
    JsonNode said = json(responded);
    boolean action = said != null && said.isObject() && said.has("kind") && said.has("params");
    if (said == null || !action) {
      return null;
    }
    FieldErrors errors = new FieldErrors();
    if (reader.read(said, "", Trigger.CANCEL, errors) == null) {
      LOG.atWarn()
          .addKeyValue("task", task.id())
          .log("the cancel action of a callee is not taken: {}", errors.list());
      return null;
    }
    return actions.serialize(Trigger.CANCEL, said);
  }

  /** Half of a result is none, and would look like one. */
  private static void saveResult(TaskContext context, CallResult.Responded responded) {
    JsonNode said = json(responded);
    if (responded.truncated()) {
      LOG.atWarn()
          .addKeyValue("task", context.task().id())
          .log("the answer has more than {} bytes; no result is kept", MAX_RESPONSE_BYTES);
    } else if (said != null) {
      context.result(said);
    } else if (!responded.body().isEmpty()) {
      context.result(responded.body());
    }
  }

  /** Null when the callee did not say JSON, or more or deeper than is read. */
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
