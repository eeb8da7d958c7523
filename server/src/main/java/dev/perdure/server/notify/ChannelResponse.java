// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.server.webhook.send.CallResult;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What came back from a channel. Its failures say nothing of the channel's address, because the
 * address may be a secret, and they are shown.
 */
record ChannelResponse(Channel channel, CallResult result) {

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int MAX_EXPLANATION = 200;
  private static final int MAX_RETRY_AFTER_SECONDS = 86_400;

  /** Empty when the message was accepted. */
  Optional<Failure> failure() {
    return switch (result) {
      case CallResult.Responded response -> failure(response);
      case CallResult.Refusal refusal ->
          Optional.of(
              failed(
                      "the address of the channel is not allowed: it is not public; add it to"
                          + " WEBHOOK_ALLOW")
                  .withPermanent(true));
      case CallResult.Unsent unsent ->
          Optional.of(
              failed(
                  "the channel cannot be reached: " + unsent.cause().getClass().getSimpleName()));
      case CallResult.Throttled throttled ->
          Optional.of(failed("the message was not sent: too many calls are in progress"));
      case CallResult.Unknown unknown ->
          Optional.of(failed("the channel broke off the connection before it answered"));
      case CallResult.TimedOut timedOut ->
          Optional.of(
              failed(
                  "the channel did not answer within "
                      + DurationText.format(ChannelRequest.TIMEOUT)));
    };
  }

  private Optional<Failure> failure(CallResult.Responded response) {
    String message = "the channel answered with status " + response.status() + explained(response);
    return response.ok()
        ? Optional.empty()
        : Optional.of(
            failed(message).withStatus(response.status()).withRetryAfter(retryAfter(response)));
  }

  private static Failure failed(String message) {
    return Failure.of(FailureKind.WEBHOOK_FAILURE).withMessage(message);
  }

  /** How long the service asks all senders to be silent; null when it does not. */
  @Nullable Duration pause() {
    return result instanceof CallResult.Responded response && response.status() == TOO_MANY_REQUESTS
        ? retryAfter(response)
        : null;
  }

  /** Telegram says it in the body, in seconds. */
  private @Nullable Duration retryAfter(CallResult.Responded response) {
    if (channel.type() == ChannelType.TELEGRAM) {
      JsonNode seconds = body(response).path("parameters").path("retry_after");
      if (seconds.isIntegralNumber() && seconds.canConvertToLong()) {
        return Duration.ofSeconds(
            Math.clamp(seconds.longValue(), 0L, (long) MAX_RETRY_AFTER_SECONDS));
      }
    }
    return response.retryAfter();
  }

  /** The service's own words, if it cannot have quoted the address in them. */
  private String explained(CallResult.Responded response) {
    String words =
        switch (channel.type()) {
          case TELEGRAM -> body(response).path("description").asString("");
          case SLACK -> response.body();
          case WEBHOOK -> "";
        };
    String line = words.replaceAll("[\\p{Cntrl}\\s]+", " ").replaceAll("\\p{Cs}", "?").strip();
    boolean harmless = line.length() <= MAX_EXPLANATION && line.matches("[\\w .,:;'()-]+");
    return !harmless || quotesAddress(line) ? "" : ": " + line;
  }

  private boolean quotesAddress(String line) {
    for (String part : channel.url().target().split("[/?&=]", -1)) {
      String secret = part.startsWith("bot") ? part.substring("bot".length()) : part;
      if (secret.length() > 3 && line.contains(secret)) {
        return true;
      }
    }
    return line.contains(channel.url().host());
  }

  private static JsonNode body(CallResult.Responded response) {
    try {
      return JsonMapper.shared().readTree(response.body());
    } catch (JacksonException e) {
      return JsonNodeFactory.instance.nullNode();
    }
  }
}
