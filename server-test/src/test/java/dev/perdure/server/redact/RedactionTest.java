// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.access.HandleKey;
import dev.perdure.server.access.HandleTokens;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {

  private final HandleTokens tokens =
      new HandleTokens(List.of(HandleKey.generate("k1", new SplittableRandom(1))));
  private final String token = tokens.issue(new UUID(1, 2), 7);
  private final String proof = token.substring(token.lastIndexOf('.') + 1);

  @Test
  void a_token_is_hidden_anywhere_in_a_text() {
    String callback = "https://perdure.test/task/1?token=" + token;
    String once = URLEncoder.encode(callback, StandardCharsets.UTF_8);
    String twice = URLEncoder.encode("http://a.test/?handle=" + once, StandardCharsets.UTF_8);
    String line = "PATCH " + callback + " after " + once + " and " + twice + ", " + token + ".";

    String redacted = Redaction.tokens(line);

    assertThat(redacted)
        .doesNotContain(proof)
        .startsWith("PATCH https://perdure.test/task/1?token=ph1.k1.7.… after ")
        .endsWith(", ph1.k1.7.….");
  }

  @Test
  void a_shortened_or_lengthened_token_is_hidden_too() {
    assertThat(Redaction.tokens(token.substring(0, token.length() - 5)))
        .doesNotContain(proof.substring(0, 8));
    assertThat(Redaction.tokens(token + "xyz")).doesNotContain(proof.substring(0, 8));
  }

  @Test
  void an_api_key_is_hidden_except_for_its_id() {
    String secret = "x".repeat(21) + "_-" + "y".repeat(20);

    assertThat(Redaction.tokens("GET /task?key=pk_4n9q0a2kx71b_" + secret + "&a=b"))
        .isEqualTo("GET /task?key=pk_4n9q0a2kx71b_…&a=b");
  }

  @Test
  void other_text_is_unchanged() {
    String text = "task 018f ended; ph1 and k1.7 are words";

    assertThat(Redaction.tokens(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.test/x,                   https://a.test/x",
    "https://a.test/x?key=secret&b=1,    https://a.test/x?…",
    "https://a.test/x#secret,            https://a.test/x#…",
    "https://a.test/x#secret?secret,     https://a.test/x#…",
    "https://a.test?secret,              https://a.test?…",
    "https://user:secret@a.test/x?y,     https://…@a.test/x?…",
    "https://user:p@secret@a.test/x?y,   https://…@a.test/x?…",
    "not a url?secret,                   not a url?…",
    "https://a.test/,                    https://a.test/",
    "https://a.test/api/v2/orderPaid/on-success.json, https://a.test/api/v2/orderPaid/on-success.json",
    "https://a.test/services/T02AB/B03CD/XzgHkQpRtVbNmLsWcFdJyKpe, https://a.test/services/…/…/…",
    "https://a.test/bot123:AAxx-yy/sendMessage, https://a.test/…/sendMessage",
    "https://a.test/hooks/qwertyuiopasdfghjklzxcvbn/x, https://a.test/hooks/…/x",
    "https://a.test/hooks/XkQpZrTbWmYc,  https://a.test/hooks/…",
    "https://a.test/a%20b//c,            https://a.test/…//c"
  })
  void a_url_keeps_its_host_and_the_plain_words_of_its_path(String url, String shown) {
    assertThat(Redaction.url(url)).isEqualTo(shown);
  }

  @Test
  void a_token_in_a_path_is_hidden() {
    assertThat(Redaction.url("https://a.test/" + token + "/x?y=1"))
        .isEqualTo("https://a.test/…/x?…");
  }
}
