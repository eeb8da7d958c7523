// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.Courier;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.server.trace.CallSpan;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.CallComposer;
import dev.perdure.server.webhook.action.Occasion;
import dev.perdure.server.webhook.action.WebhookAction;
import dev.perdure.server.webhook.send.CallResult;
import dev.perdure.server.webhook.send.HttpSender;
import java.time.Duration;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Sends deliveries. What is refused is refused for good: an operator can send it again. */
final class WebhookCourier implements Courier {

  private static final Duration UNTIL_ROOM = Duration.ofSeconds(5);

  private final ActionJson reader;
  private final KeptActions actions;
  private final CallComposer composer;
  private final HttpSender sender;
  private final CallWatch watch;

  WebhookCourier(
      ActionJson reader,
      KeptActions actions,
      CallComposer composer,
      HttpSender sender,
      CallWatch watch) {
    this.reader = reader;
    this.actions = actions;
    this.composer = composer;
    this.sender = sender;
    this.watch = watch;
  }

  @Override
  public Answer deliver(Delivery delivery) throws InterruptedException {
    News news = News.read(delivery.announcement().request());
    JsonNode json = actions.action(news.kept(), news.trigger(), 0);
    Problems problems = new Problems();
    WebhookAction action = reader.read(json, news.trigger().field(), news.trigger(), problems);
    if (action == null) {
      return Courier.failed(refused(problems));
    }
    CallSpan span =
        watch.begin(news.trace(), delivery.task(), delivery.announcement().trigger(), action);
    CallResult result = sender.send(composer.compose(action, occasion(news, span.context())));
    watch.end(span, result);
    if (Thread.interrupted()) {
      throw new InterruptedException("broken off");
    }
    return answer(result);
  }

  private Occasion occasion(News news, TraceContext trace) {
    return new Occasion(
        news.facts(),
        news.trigger(),
        news.index(),
        watch.clock().instant(),
        null,
        trace,
        news.summary().toString());
  }

  private static Answer answer(CallResult result) {
    if (result instanceof CallResult.NoRoom) {
      return Courier.putOff(UNTIL_ROOM);
    }
    boolean refused = result instanceof CallResult.Refusal;
    return result
        .failure()
        .map(failure -> Courier.failed(failure.withPermanent(refused)))
        .orElseGet(Courier::arrived);
  }

  private static Failure refused(Problems problems) {
    String why = problems.found().stream().map(Problem::toString).collect(Collectors.joining("; "));
    return Failure.of(FailureKind.WEBHOOK_FAILURE)
        .withCode(CallResult.REFUSED)
        .withMessage(why)
        .withPermanent(true);
  }
}
