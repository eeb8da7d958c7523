// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.sign;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A signing secret in the format of Standard Webhooks, shared with the callee. */
final class SigningSecret {

  private static final String PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int MIN_BYTES = 24;
  private static final int MAX_BYTES = 64;
  private static final String EXPECTED_FORMAT =
      "must be whsec_ followed by %d to %d random bytes in base64".formatted(MIN_BYTES, MAX_BYTES);

  private final SecretKeySpec key;

  private SigningSecret(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /**
   * Parses a secret.
   *
   * @throws IllegalArgumentException when it is not valid; the message does not repeat it
   */
  static SigningSecret parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException(EXPECTED_FORMAT);
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text.substring(PREFIX.length()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(EXPECTED_FORMAT, e);
    }
    if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(EXPECTED_FORMAT + ", not " + bytes.length + " bytes");
    }
    return new SigningSecret(bytes);
  }

  String signature(String content) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] signature = mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java does not support " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return PREFIX + "…";
  }
}
