// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSignerTest {

  /** The example that the Standard Webhooks libraries share. */
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final Instant NOW = Instant.ofEpochSecond(1614265330);
  private static final String BODY = "{\"test\": 2432232314}";
  private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  private static final String OTHER = "whsec_" + base64(32);

  private static String base64(int bytes) {
    return Base64.getEncoder().encodeToString(new byte[bytes]);
  }

  @Test
  void matches_the_published_example() {
    assertThat(WebhookSigner.of(SECRET).headers(ID, NOW, BODY))
        .containsEntry("webhook-id", ID)
        .containsEntry("webhook-timestamp", "1614265330")
        .containsEntry("webhook-signature", SIGNATURE)
        .hasSize(3);
  }

  @Test
  void signs_with_every_secret_in_order() {
    String other = WebhookSigner.of(OTHER).headers(ID, NOW, BODY).get("webhook-signature");

    assertThat(other).startsWith("v1,").isNotEqualTo(SIGNATURE);
    assertThat(WebhookSigner.of(OTHER + " " + SECRET).headers(ID, NOW, BODY))
        .containsEntry("webhook-signature", other + " " + SIGNATURE);
    assertThat(WebhookSigner.of(SECRET + "," + OTHER).headers(ID, NOW, BODY))
        .containsEntry("webhook-signature", SIGNATURE + " " + other);
  }

  @Test
  void the_signature_covers_id_time_and_body() {
    WebhookSigner signer = WebhookSigner.of(SECRET);

    assertThat(signer.headers(ID + "x", NOW, BODY)).doesNotContainValue(SIGNATURE);
    assertThat(signer.headers(ID, NOW.plusSeconds(1), BODY)).doesNotContainValue(SIGNATURE);
    assertThat(signer.headers(ID, NOW, BODY + " ")).doesNotContainValue(SIGNATURE);
  }

  @Test
  void signs_the_body_as_utf_8() {
    // openssl: printf 'm.1.é' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00…00 -binary |
    // base64
    assertThat(WebhookSigner.of(OTHER).headers("m", Instant.ofEpochSecond(1), "é"))
        .containsEntry("webhook-signature", "v1,RE5oYxlkhDvGcoP4rOTMRlp7kdf1xVjx4qQxoWNclGQ=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_",
        "whsec_not base64!",
        "whsec_%%%%",
        "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
      })
  void rejects_an_invalid_secret_without_repeating_it(String text) {
    assertThatThrownBy(() -> WebhookSigner.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be whsec_ followed by 24 to 64 random bytes in base64")
        .hasMessageNotContaining("MfKQ9r8G");
  }

  @Test
  void a_secret_has_24_to_64_bytes() {
    assertThatThrownBy(() -> WebhookSigner.of("whsec_" + base64(23)))
        .hasMessageContaining("not 23 bytes");
    assertThatThrownBy(() -> WebhookSigner.of("whsec_" + base64(65)))
        .hasMessageContaining("not 65 bytes");
    assertThat(WebhookSigner.of("whsec_" + base64(24) + " whsec_" + base64(64))).isNotNull();
  }

  @Test
  void accepts_one_to_four_secrets() {
    assertThatThrownBy(() -> WebhookSigner.of(" , ")).hasMessage("must have 1 to 4 secrets, not 0");
    assertThatThrownBy(() -> WebhookSigner.of((SECRET + " ").repeat(5)))
        .hasMessage("must have 1 to 4 secrets, not 5");
  }

  @Test
  void rejects_a_message_id_with_a_dot() {
    assertThatThrownBy(() -> WebhookSigner.of(SECRET).headers("a.b", NOW, BODY))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
