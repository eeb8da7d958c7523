// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Failure;
import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.CallResult;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChannelResponseTest {

  private static final Channel TELEGRAM =
      channel(ChannelType.TELEGRAM, "https://bots.internal/bot12:geheim/sendMessage");
  private static final Channel SLACK =
      channel(ChannelType.SLACK, "https://hooks.internal/services/geheim");
  private static final Channel WEBHOOK =
      channel(ChannelType.WEBHOOK, "https://hook.internal/geheim");

  private static Channel channel(ChannelType type, String url) {
    return new Channel("ops", type, WebhookUrl.parse(url), "1", null);
  }

  private static ChannelResponse response(
      Channel channel, int status, String body, @Nullable Duration retryAfter) {
    return new ChannelResponse(channel, new CallResult.Responded(status, retryAfter, body, false));
  }

  private static Failure failure(Channel channel, int status, String body) {
    return response(channel, status, body, null).failure().orElseThrow();
  }

  @Test
  void telegram_says_in_the_body_how_long_to_wait() {
    ChannelResponse busy =
        response(
            TELEGRAM,
            429,
            "{\"ok\": false, \"parameters\": {\"retry_after\": 17}}",
            Duration.ofSeconds(3));

    assertThat(busy.pause()).isEqualTo(Duration.ofSeconds(17));
    assertThat(busy.failure().orElseThrow().retryAfter()).isEqualTo(Duration.ofSeconds(17));
    assertThat(response(TELEGRAM, 429, "not JSON", Duration.ofSeconds(3)).pause())
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(response(TELEGRAM, 429, "{\"parameters\": {\"retry_after\": 1e99}}", null).pause())
        .isNull();
    assertThat(response(TELEGRAM, 429, "{\"parameters\": {\"retry_after\": -5}}", null).pause())
        .isZero();
  }

  @Test
  void slack_says_in_a_header_how_long_to_wait() {
    Duration wait = Duration.ofSeconds(30);
    assertThat(response(SLACK, 429, "", wait).pause()).isEqualTo(wait);
    assertThat(response(SLACK, 503, "", wait).pause()).isNull();
    assertThat(response(SLACK, 200, "ok", null).failure()).isEmpty();
  }

  @Test
  void a_failure_repeats_what_the_service_says() {
    assertThat(
            failure(TELEGRAM, 400, "{\"description\": \"Bad Request: chat not found\"}").message())
        .isEqualTo("the channel answered with status 400: Bad Request: chat not found");
    assertThat(failure(SLACK, 404, "no_service").message())
        .isEqualTo("the channel answered with status 404: no_service");
    assertThat(failure(WEBHOOK, 500, "anything").message())
        .isEqualTo("the channel answered with status 500");
  }

  @Test
  void a_failure_never_contains_the_address() {
    ConnectException cause = new ConnectException("hook.internal/geheim refused");
    List<ChannelResponse> failed =
        List.of(
            response(TELEGRAM, 404, "{\"description\": \"no bot 12:geheim\"}", null),
            response(TELEGRAM, 404, "{\"description\": \"not at bots.internal\"}", null),
            response(SLACK, 400, "<html>services/geheim</html>", null),
            response(SLACK, 400, "bad token geheim", null),
            response(WEBHOOK, 400, "geheim", null),
            new ChannelResponse(WEBHOOK, new CallResult.Unsent("hook.internal geheim", cause)),
            new ChannelResponse(WEBHOOK, new CallResult.Refusal("hook.internal geheim")),
            new ChannelResponse(WEBHOOK, new CallResult.Unknown("hook.internal geheim", cause)),
            new ChannelResponse(WEBHOOK, new CallResult.TimedOut("hook.internal geheim")));

    assertThat(failed)
        .allSatisfy(
            response -> {
              Failure failure = response.failure().orElseThrow();
              assertThat(failure.toString()).doesNotContain("geheim", "internal");
              assertThat(failure.message()).contains("the channel");
            });
  }
}
