// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.webhook.sign.WebhookSigner;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The signature check in the documentation accepts signed calls only. */
class WebhookSnippetsTest {

  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String OLDER = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

  @Test
  void verifies_signatures() throws Exception {
    Map<String, String> headers =
        WebhookSigner.of(OLDER + "," + SECRET).headers("id", Instant.EPOCH, "body …");
    String signature = headers.get("webhook-signature");

    assertThat(WebhookSnippets.isGenuine(SECRET, "id", "0", signature, "body …")).isTrue();
    assertThat(WebhookSnippets.isGenuine(OLDER, "id", "0", signature, "body …")).isTrue();
    assertThat(WebhookSnippets.isGenuine(SECRET, "id", "0", signature, "body")).isFalse();
    assertThat(WebhookSnippets.isGenuine(SECRET, "id", "1", signature, "body …")).isFalse();
    assertThat(WebhookSnippets.isGenuine(SECRET, "di", "0", signature, "body …")).isFalse();
  }
}
