// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandleTokensTest {

  private static final UUID TASK = UUID.fromString("018f0000-0000-7000-8000-000000000001");
  private static final UUID OTHER = UUID.fromString("018f0000-0000-7000-8000-000000000002");

  private final HandleKey key = HandleKey.generate("k1", new SplittableRandom(1));
  private final HandleKey next = HandleKey.generate("k2", new SplittableRandom(2));
  private final HandleTokens tokens = new HandleTokens(List.of(key));

  @Test
  void a_token_verifies_with_its_epoch() {
    assertThat(tokens.verify(TASK, tokens.issue(TASK, 7))).hasValue(7);
    assertThat(tokens.verify(TASK, tokens.issue(TASK, 0))).hasValue(0);
    assertThat(tokens.verify(TASK, tokens.issue(TASK, 999_999_999_999_999_999L)))
        .hasValue(999_999_999_999_999_999L);
  }

  /** An on_start that is sent again must not make the first handle stale (fault 24). */
  @Test
  void a_token_issued_again_is_the_same() {
    HandleTokens restarted = new HandleTokens(List.of(HandleKey.of("k1", key.secret())));

    assertThat(restarted.issue(TASK, 7)).isEqualTo(tokens.issue(TASK, 7));
  }

  @Test
  void a_token_is_invalid_for_another_task_or_epoch() {
    String token = tokens.issue(TASK, 7);

    assertThat(tokens.verify(OTHER, token)).isEmpty();
    assertThat(tokens.verify(TASK, token.replace(".7.", ".8."))).isEmpty();
    assertThat(tokens.verify(TASK, token.replace(".7.", ".07."))).isEmpty();
  }

  @Test
  void a_token_of_another_key_is_invalid() {
    HandleKey forged = HandleKey.generate("k1", new SplittableRandom(3));
    String token = new HandleTokens(List.of(forged)).issue(TASK, 7);

    assertThat(tokens.verify(TASK, token)).isEmpty();
  }

  @Test
  void a_token_with_any_character_changed_is_invalid() {
    String token = tokens.issue(TASK, 7);
    for (int i = 0; i < token.length(); i++) {
      for (String other : List.of("A", "b", "9", "_", "-", ".")) {
        String changed = token.substring(0, i) + other + token.substring(i + 1);
        assertThat(tokens.verify(TASK, changed).isPresent())
            .as(changed)
            .isEqualTo(changed.equals(token));
      }
    }
  }

  /** Two bits of the last character carry no information. */
  @Test
  void a_token_has_only_one_valid_spelling() {
    String token = tokens.issue(TASK, 7);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    long accepted =
        alphabet
            .chars()
            .mapToObj(last -> token.substring(0, token.length() - 1) + (char) last)
            .filter(changed -> tokens.verify(TASK, changed).isPresent())
            .count();

    assertThat(accepted).isOne();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ph1",
        "ph1...",
        "ph1.k1.7.",
        "ph2.k1.7.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "ph1.k1.-7.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "ph1.k1.99999999999999999999.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "ph1.k1.7.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "ph1.none.7.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      })
  void rejects_a_malformed_token(String token) {
    assertThat(tokens.verify(TASK, token)).isEmpty();
  }

  @Test
  void a_new_key_issues_tokens_and_the_old_key_still_verifies() {
    String old = tokens.issue(TASK, 7);
    HandleTokens rotated = new HandleTokens(List.of(next, key));
    HandleTokens finished = new HandleTokens(List.of(next));

    assertThat(rotated.issue(TASK, 7)).startsWith("ph1.k2.7.");
    assertThat(rotated.verify(TASK, rotated.issue(TASK, 7))).hasValue(7);
    assertThat(rotated.verify(TASK, old)).hasValue(7);
    assertThat(finished.verify(TASK, old)).isEmpty();
  }

  @Test
  void keys_need_different_valid_ids() {
    HandleKey twin = HandleKey.generate("k1", new SplittableRandom(4));

    assertThatThrownBy(() -> new HandleTokens(List.of(key, twin)))
        .hasMessage("must be 1 to 16 keys with different ids");
    assertThatThrownBy(() -> new HandleTokens(List.of()))
        .hasMessage("must be 1 to 16 keys with different ids");
    assertThatThrownBy(() -> HandleKey.of("K.1", key.secret()))
        .hasMessage("a key id must be 1 to 16 characters of a-z and 0-9");
    assertThatThrownBy(() -> HandleKey.of("k1", "AAAA"))
        .hasMessage("a key must have 32 bytes, not 3");
  }

  @Test
  void a_key_does_not_show_its_secret() {
    assertThat(key.toString()).isEqualTo("handle key k1").doesNotContain(key.secret());
  }

  @Test
  void url_encoding_does_not_change_a_token() {
    for (int epoch = 0; epoch < 100; epoch++) {
      assertThat(tokens.issue(TASK, epoch)).matches("[A-Za-z0-9._-]+");
    }
  }
}
