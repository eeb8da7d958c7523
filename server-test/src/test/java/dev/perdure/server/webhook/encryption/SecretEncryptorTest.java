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

  private static SecretEncryptor encryptorWith(String keys) {
    return new SecretEncryptor(EncryptionKeys.parse(keys), new SplittableRandom(3));
  }

  @Test
  void decrypts_what_it_encrypted() {
    SecretEncryptor encryptor = encryptorWith(ONE);
    String encrypted = encryptor.encrypt("hush …");

    assertThat(encrypted).doesNotContain("hush").isNotEqualTo(encryptor.encrypt("hush …"));
    assertThat(encryptor.decrypt(encrypted)).isEqualTo("hush …");
  }

  @Test
  void decrypts_with_an_older_key() {
    String encrypted = encryptorWith(ONE).encrypt("hush");

    assertThat(encryptorWith(OTHER + "," + ONE).decrypt(encrypted)).isEqualTo("hush");
    assertThatThrownBy(() -> encryptorWith(OTHER).decrypt(encrypted))
        .hasMessageContaining("SECRETS_KEY");
    assertThatThrownBy(() -> encryptorWith("").decrypt(encrypted))
        .hasMessageContaining("SECRETS_KEY");
  }

  @Test
  void detects_any_change_of_the_ciphertext() {
    SecretEncryptor encryptor = encryptorWith(ONE);
    String encrypted = encryptor.encrypt("hush");
    for (int i = 3; i < encrypted.length() - 1; i++) {
      char other = encrypted.charAt(i) == 'A' ? 'B' : 'A';
      String changed = encrypted.substring(0, i) + other + encrypted.substring(i + 1);
      assertThatThrownBy(() -> encryptor.decrypt(changed))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"v1.***", "v1.", "v1.aHVzaA", "v1.MDEyMzQ1Njc4OWFi", "v1.MDEyMzQ1Njc4OWFiMA"})
  void rejects_damaged_ciphertext(String encrypted) {
    assertThatThrownBy(() -> encryptorWith(ONE).decrypt(encrypted))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void is_disabled_without_a_key() {
    assertThat(encryptorWith("").isEnabled()).isFalse();
    assertThat(encryptorWith(ONE).isEnabled()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hush-hush", "aHVzaA==", "*"})
  void an_invalid_key_is_rejected_and_not_repeated(String key) {
    assertThatThrownBy(() -> EncryptionKeys.parse(key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must be 32 random bytes in base64")
        .hasMessageNotContaining(key);
  }
}
