// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A key that signs handles. Each handle contains the id of its key. */
public final class HandleKey {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;
  private static final Pattern ID = Pattern.compile("[a-z0-9]{1,16}");

  /** Separates this use of the key from other uses that may be added. */
  private static final byte[] PURPOSE = "perdure handle 1".getBytes(StandardCharsets.US_ASCII);

  private final String id;
  private final byte[] secret;

  private HandleKey(String id, byte[] secret) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("a key id must be 1 to 16 characters of a-z and 0-9");
    }
    if (secret.length != BYTES) {
      throw new IllegalArgumentException(
          "a key must have %d bytes, not %d".formatted(BYTES, secret.length));
    }
    this.id = id;
    this.secret = secret;
  }

  /**
   * Generates a new key.
   *
   * @param random a cryptographically secure source
   */
  public static HandleKey generate(String id, RandomGenerator random) {
    byte[] secret = new byte[BYTES];
    random.nextBytes(secret);
    return new HandleKey(id, secret);
  }

  /** Restores a key from its stored {@link #secret}. */
  public static HandleKey of(String id, String secret) {
    return new HandleKey(id, Base64.getUrlDecoder().decode(secret));
  }

  public String id() {
    return id;
  }

  /** The secret, in base64. Store it where only the server can read it. */
  public String secret() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  /** The MAC of this task and epoch. */
  byte[] mac(UUID task, long epoch) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(PURPOSE);
      ByteBuffer bound = ByteBuffer.allocate(3 * Long.BYTES);
      bound.putLong(task.getMostSignificantBits()).putLong(task.getLeastSignificantBits());
      return mac.doFinal(bound.putLong(epoch).array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java does not support " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "handle key " + id;
  }
}
