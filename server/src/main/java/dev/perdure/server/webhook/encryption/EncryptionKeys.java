// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.encryption;

import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;

/** The keys of {@code SECRETS_KEY}: the first encrypts, all of them decrypt. */
public final class EncryptionKeys {

  private static final int BYTES = 32;
  private static final int MAX_KEYS = 4;
  private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");
  private static final String EXPECTED_FORMAT =
      "must be %d random bytes in base64, such as the output of 'openssl rand -base64 %d'"
          .formatted(BYTES, BYTES);

  private final List<SecretKeySpec> keys;

  private EncryptionKeys(List<SecretKeySpec> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * Parses keys that are separated by spaces or commas. An empty text has no keys.
   *
   * @throws IllegalArgumentException when a key is wrong; the message does not repeat it
   */
  public static EncryptionKeys parse(String text) {
    List<String> words = SEPARATOR.splitAsStream(text).filter(word -> !word.isEmpty()).toList();
    if (words.size() > MAX_KEYS) {
      throw new IllegalArgumentException(
          "must have at most %d keys, not %d".formatted(MAX_KEYS, words.size()));
    }
    return new EncryptionKeys(words.stream().map(EncryptionKeys::key).toList());
  }

  private static SecretKeySpec key(String word) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(word);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(EXPECTED_FORMAT, e);
    }
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(EXPECTED_FORMAT + ", not " + bytes.length + " bytes");
    }
    return new SecretKeySpec(bytes, "AES");
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  List<SecretKeySpec> all() {
    return keys;
  }

  @Override
  public String toString() {
    return keys.size() + " keys";
  }
}
