// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static dev.perdure.server.webhook.send.SenderOptions.MOST_ANSWER_BYTES;

import dev.perdure.engine.DeliveryOutcome;
import dev.perdure.engine.LaneHandler;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Problems;
import dev.perdure.server.http.JsonBody;
import dev.perdure.server.trace.CallSpan;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.CallComposer;
import dev.perdure.server.webhook.action.Completion;
import dev.perdure.server.webhook.action.Occasion;
import dev.perdure.server.webhook.action.TaskFacts;
import dev.perdure.server.webhook.action.Trigger;
import dev.perdure.server.webhook.action.WebhookAction;
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
final class StartCaller implements LaneHandler {

  private static final Logger LOG = LoggerFactory.getLogger(StartCaller.class);

  /** As in requests: what is deeper could be kept and then not be shown. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(JsonBody.LIMITS).build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final ActionJson reader;
  private final KeptActions actions;
  private final CallComposer composer;
  private final HttpSender sender;
  private final CallbackUrl callback;
  private final CallWatch watch;

  StartCaller(
      ActionJson reader,
      KeptActions actions,
      CallComposer composer,
      HttpSender sender,
      CallbackUrl callback,
      CallWatch watch) {
    this.reader = reader;
    this.actions = actions;
    this.composer = composer;
    this.sender = sender;
    this.callback = callback;
    this.watch = watch;
  }

  @Override
  public void handle(TaskContext context) {
    Problems problems = new Problems();
    WebhookAction action = action(context, problems);
    CallResult result = action == null ? CallResult.Refusal.of(problems) : called(action, context);
    if (result instanceof CallResult.NoRoom full) {
      throw context.snooze(full.turn());
    }
    if (action != null && result instanceof CallResult.Answer answer && answer.ok()) {
      if (action.completion() == Completion.CALLBACK) {
        throw context.entrust(cancelAction(answer, context.task()));
      }
      answered(context, answer);
      return;
    }
    // Who broke the call off has not failed at it.
    if (!(result instanceof CallResult.Answer) && context.stopping()) {
      throw context.handBack();
    }
    throw context.fail(result.failure().orElseThrow());
  }

  /** What was right when it was submitted may be refused since: the allow-list has changed. */
  private @Nullable WebhookAction action(TaskContext context, Problems problems) {
    JsonNode json = opened(context);
    return reader.read(json, Trigger.START.field(), Trigger.START, problems);
  }

  /** That the server was started with another key is no fault of the task. */
  private JsonNode opened(TaskContext context) {
    String kept = String.valueOf(context.task().definition().actions());
    try {
      return actions.action(KeptActions.read(kept), Trigger.START, 0);
    } catch (IllegalStateException sealed) {
      throw context.park("its on_start cannot be read: " + sealed.getMessage());
    }
  }

  private CallResult called(WebhookAction action, TaskContext context) {
    Duration before = watch.monotonic().get();
    Task task = context.task();
    CallSpan span = watch.begin(context.traceParent(), task.id(), Trigger.START.field(), action);
    Occasion occasion = occasion(action, context, span.context());
    CallResult result = sender.send(composer.compose(action, occasion));
    watch.end(span, result);
    if (!(result instanceof CallResult.NoRoom)) {
      boolean arrived = result.failure().isEmpty();
      watch
          .listener()
          .onDelivered(
              Trigger.START.field(),
              arrived ? DeliveryOutcome.ARRIVED : DeliveryOutcome.FAILED,
              watch.monotonic().get().minus(before));
    }
    return result;
  }

  private Occasion occasion(WebhookAction action, TaskContext context, TraceContext trace) {
    Task task = context.task();
    TaskFacts facts =
        new TaskFacts(task.id(), Trigger.START.status(), task.counting().attempt(), null);
    boolean reports = action.completion() == Completion.CALLBACK;
    return new Occasion(
        facts,
        Trigger.START,
        0,
        watch.clock().instant(),
        reports ? callback.of(task.id(), context.lendHandle()) : null,
        trace,
        null);
  }

  /** How the callee is told to stop, if it said so in its answer. */
  private @Nullable String cancelAction(CallResult.Answer answer, Task task) {
    JsonNode said = json(answer);
    boolean action = said != null && said.isObject() && said.has("kind") && said.has("params");
    if (said == null || !action) {
      return null;
    }
    Problems problems = new Problems();
    if (reader.read(said, "", Trigger.CANCEL, problems) == null) {
      LOG.atWarn()
          .addKeyValue("task", task.id())
          .log("the cancel action of a callee is not taken: {}", problems.found());
      return null;
    }
    return actions.keep(Trigger.CANCEL, said);
  }

  /** Half of a result is none, and would look like one. */
  private static void answered(TaskContext context, CallResult.Answer answer) {
    JsonNode said = json(answer);
    if (answer.cut()) {
      LOG.atWarn()
          .addKeyValue("task", context.task().id())
          .log("the answer has more than {} bytes; no result is kept", MOST_ANSWER_BYTES);
    } else if (said != null) {
      context.result(said);
    } else if (!answer.body().isEmpty()) {
      context.result(answer.body());
    }
  }

  /** Null when the callee did not say JSON, or more or deeper than is read. */
  private static @Nullable JsonNode json(CallResult.Answer answer) {
    if (answer.cut() || answer.body().isBlank()) {
      return null;
    }
    try {
      return MAPPER.readTree(answer.body());
    } catch (JacksonException e) {
      return null;
    }
  }
}
