// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretEncryptorTest {

  private static final String ONE = key(1);
  private static final String OTHER = key(2);

  private static String key(int seed) {
    byte[] bytes = new byte[32];
    new SplittableRandom(seed).nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static SecretEncryptor sealer(String keys) {
    return new SecretEncryptor(EncryptionKeys.parse(keys), new SplittableRandom(3));
  }

  @Test
  void opens_what_it_sealed() {
    SecretEncryptor encryptor = sealer(ONE);
    String sealed = encryptor.encrypt("hush …");

    assertThat(sealed).doesNotContain("hush").isNotEqualTo(encryptor.encrypt("hush …"));
    assertThat(encryptor.decrypt(sealed)).isEqualTo("hush …");
  }

  @Test
  void opens_what_an_older_key_sealed() {
    String sealed = sealer(ONE).encrypt("hush");

    assertThat(sealer(OTHER + "," + ONE).decrypt(sealed)).isEqualTo("hush");
    assertThatThrownBy(() -> sealer(OTHER).decrypt(sealed)).hasMessageContaining("SECRETS_KEY");
    assertThatThrownBy(() -> sealer("").decrypt(sealed)).hasMessageContaining("SECRETS_KEY");
  }

  @Test
  void notices_any_change() {
    SecretEncryptor encryptor = sealer(ONE);
    String sealed = encryptor.encrypt("hush");
    for (int i = 3; i < sealed.length() - 1; i++) {
      char other = sealed.charAt(i) == 'A' ? 'B' : 'A';
      String changed = sealed.substring(0, i) + other + sealed.substring(i + 1);
      assertThatThrownBy(() -> encryptor.decrypt(changed))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"v1.***", "v1.", "v1.aHVzaA", "v1.MDEyMzQ1Njc4OWFi", "v1.MDEyMzQ1Njc4OWFiMA"})
  void says_of_what_is_damaged_that_it_cannot_be_opened(String sealed) {
    assertThatThrownBy(() -> sealer(ONE).decrypt(sealed)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void seals_nothing_without_a_key() {
    assertThat(sealer("").isEnabled()).isFalse();
    assertThat(sealer(ONE).isEnabled()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hush-hush", "aHVzaA==", "*"})
  void a_key_that_is_none_is_refused_and_not_repeated(String key) {
    assertThatThrownBy(() -> EncryptionKeys.parse(key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must be 32 random bytes in base64")
        .hasMessageNotContaining(key);
  }
}
