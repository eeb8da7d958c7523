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
  private final HandleTokens handleTokens = new HandleTokens(List.of(key));

  @Test
  void a_token_opens_the_epoch_it_was_made_for() {
    assertThat(handleTokens.verify(TASK, handleTokens.issue(TASK, 7))).hasValue(7);
    assertThat(handleTokens.verify(TASK, handleTokens.issue(TASK, 0))).hasValue(0);
    assertThat(handleTokens.verify(TASK, handleTokens.issue(TASK, 999_999_999_999_999_999L)))
        .hasValue(999_999_999_999_999_999L);
  }

  /** A start that is sent again must not make the first handle stale (fault 24). */
  @Test
  void made_again_it_is_the_same() {
    HandleTokens restarted = new HandleTokens(List.of(HandleKey.of("k1", key.secret())));

    assertThat(restarted.issue(TASK, 7)).isEqualTo(handleTokens.issue(TASK, 7));
  }

  @Test
  void it_opens_no_other_task_and_no_other_epoch() {
    String token = handleTokens.issue(TASK, 7);

    assertThat(handleTokens.verify(OTHER, token)).isEmpty();
    assertThat(handleTokens.verify(TASK, token.replace(".7.", ".8."))).isEmpty();
    assertThat(handleTokens.verify(TASK, token.replace(".7.", ".07."))).isEmpty();
  }

  @Test
  void nobody_makes_one_without_the_key() {
    HandleKey forged = HandleKey.generate("k1", new SplittableRandom(3));
    String token = new HandleTokens(List.of(forged)).issue(TASK, 7);

    assertThat(handleTokens.verify(TASK, token)).isEmpty();
  }

  @Test
  void no_character_of_it_can_be_changed() {
    String token = handleTokens.issue(TASK, 7);
    for (int i = 0; i < token.length(); i++) {
      for (String other : List.of("A", "b", "9", "_", "-", ".")) {
        String changed = token.substring(0, i) + other + token.substring(i + 1);
        assertThat(handleTokens.verify(TASK, changed).isPresent())
            .as(changed)
            .isEqualTo(changed.equals(token));
      }
    }
  }

  /** The last character of the proof has two bits that mean nothing. */
  @Test
  void there_is_one_spelling_only() {
    String token = handleTokens.issue(TASK, 7);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    long accepted =
        alphabet
            .chars()
            .mapToObj(last -> token.substring(0, token.length() - 1) + (char) last)
            .filter(changed -> handleTokens.verify(TASK, changed).isPresent())
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
  void refuses_what_is_no_token(String token) {
    assertThat(handleTokens.verify(TASK, token)).isEmpty();
  }

  @Test
  void a_new_key_makes_new_tokens_and_the_old_one_still_checks_its_own() {
    String old = handleTokens.issue(TASK, 7);
    HandleTokens rotated = new HandleTokens(List.of(next, key));
    HandleTokens finished = new HandleTokens(List.of(next));

    assertThat(rotated.issue(TASK, 7)).startsWith("ph1.k2.7.");
    assertThat(rotated.verify(TASK, rotated.issue(TASK, 7))).hasValue(7);
    assertThat(rotated.verify(TASK, old)).hasValue(7);
    assertThat(finished.verify(TASK, old)).isEmpty();
  }

  @Test
  void keys_are_told_apart_by_their_ids() {
    HandleKey twin = HandleKey.generate("k1", new SplittableRandom(4));

    assertThatThrownBy(() -> new HandleTokens(List.of(key, twin)))
        .hasMessage("must be 1 to 16 keys with distinct ids");
    assertThatThrownBy(() -> new HandleTokens(List.of()))
        .hasMessage("must be 1 to 16 keys with distinct ids");
    assertThatThrownBy(() -> HandleKey.of("K.1", key.secret()))
        .hasMessage("the id of a key must be 1 to 16 characters of a-z and 0-9");
    assertThatThrownBy(() -> HandleKey.of("k1", "AAAA"))
        .hasMessage("a key must have 32 bytes, not 3");
  }

  @Test
  void a_key_does_not_show_its_secret() {
    assertThat(key.toString()).isEqualTo("handle key k1").doesNotContain(key.secret());
  }

  @Test
  void a_token_passes_through_urls_unchanged() {
    for (int epoch = 0; epoch < 100; epoch++) {
      assertThat(handleTokens.issue(TASK, epoch)).matches("[A-Za-z0-9._-]+");
    }
  }
}
