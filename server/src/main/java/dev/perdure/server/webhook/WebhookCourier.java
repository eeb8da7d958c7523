// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.Courier;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Problems;
import dev.perdure.server.trace.CallSpan;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.CallComposer;
import dev.perdure.server.webhook.action.Occasion;
import dev.perdure.server.webhook.action.WebhookAction;
import dev.perdure.server.webhook.send.CallResult;
import dev.perdure.server.webhook.send.HttpSender;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Sends deliveries. What is refused is refused for good: an operator can send it again. */
final class WebhookCourier implements Courier {

  private static final Logger LOG = LoggerFactory.getLogger(WebhookCourier.class);
  private static final Duration SHORTEST_PUT_OFF = Duration.ofSeconds(5);
  private static final Duration LONGEST_PUT_OFF = Duration.ofMinutes(5);
  private static final Duration SAY_EVERY = Duration.ofMinutes(1);

  private final ActionJson reader;
  private final KeptActions actions;
  private final CallComposer composer;
  private final HttpSender sender;
  private final CallWatch watch;
  private @Nullable Duration lastSaid;

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
    JsonNode json = opened(news);
    if (json == null) {
      return Courier.putOff(untilAnotherKey(delivery));
    }
    Problems problems = new Problems();
    WebhookAction action = reader.read(json, news.trigger().field(), news.trigger(), problems);
    return action == null
        ? answer(CallResult.Refusal.of(problems))
        : answer(called(action, news, delivery));
  }

  /**
   * Null when no key opens it: that the server was started with another is no fault of anybody's.
   */
  private @Nullable JsonNode opened(News news) {
    try {
      return actions.action(news.kept(), news.trigger(), 0);
    } catch (IllegalStateException sealed) {
      say(sealed);
      return null;
    }
  }

  /** All that were sealed with a lost key are concerned, and all of them come again and again. */
  private synchronized void say(IllegalStateException sealed) {
    Duration now = watch.monotonic().get();
    if (lastSaid == null || now.minus(lastSaid).compareTo(SAY_EVERY) >= 0) {
      lastSaid = now;
      LOG.error("deliveries cannot be sent, and wait: {}", sealed.getMessage());
    }
  }

  private CallResult called(WebhookAction action, News news, Delivery delivery)
      throws InterruptedException {
    CallSpan span =
        watch.begin(news.trace(), delivery.task(), delivery.announcement().trigger(), action);
    CallResult result = sender.send(composer.compose(action, occasion(news, span.context())));
    watch.end(span, result);
    // An answer is one, whoever wanted to break the call off after it.
    if (Thread.interrupted() && !(result instanceof CallResult.Answer)) {
      throw new InterruptedException("broken off");
    }
    return result;
  }

  private Occasion occasion(News news, TraceContext trace) {
    return new Occasion(
        news.facts(),
        news.trigger(),
        news.index(),
        watch.clock().instant(),
        null,
        trace,
        news.summary().isNull() ? null : news.summary().toString());
  }

  private static Answer answer(CallResult result) {
    return result instanceof CallResult.NoRoom full
        ? Courier.putOff(full.turn())
        : result.failure().map(Courier::failed).orElseGet(Courier::arrived);
  }

  /**
   * About as long as it has waited already, so that many of them are no stream of writes; and
   * anything from half of it on, so that those who are put off together do not come back together.
   */
  private Duration untilAnotherKey(Delivery delivery) {
    Duration waited = Duration.between(delivery.times().since(), watch.clock().instant());
    long most =
        Math.clamp(waited.toMillis(), SHORTEST_PUT_OFF.toMillis(), LONGEST_PUT_OFF.toMillis());
    long seed = delivery.id().getLeastSignificantBits() + delivery.epoch();
    return Duration.ofMillis(new SplittableRandom(seed).nextLong(most / 2, most + 1));
  }
}
