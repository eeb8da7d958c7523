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

/** A key that makes handles, with an id by which a handle says which key made it. */
public final class HandleKey {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;
  private static final Pattern ID = Pattern.compile("[a-z0-9]{1,16}");

  /** Tells this use of the key from any other that may come. */
  private static final byte[] PURPOSE = "perdure handle 1".getBytes(StandardCharsets.US_ASCII);

  private final String id;
  private final byte[] secret;

  private HandleKey(String id, byte[] secret) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("a key's id is 1 to 16 of a-z and 0-9");
    }
    if (secret.length != BYTES) {
      throw new IllegalArgumentException(
          "a key has %d bytes, not %d".formatted(BYTES, secret.length));
    }
    this.id = id;
    this.secret = secret;
  }

  /**
   * A new key.
   *
   * @param random a source that nobody can foresee
   */
  public static HandleKey generate(String id, RandomGenerator random) {
    byte[] secret = new byte[BYTES];
    random.nextBytes(secret);
    return new HandleKey(id, secret);
  }

  /** The key whose {@link #secret} was kept. */
  public static HandleKey of(String id, String secret) {
    return new HandleKey(id, Base64.getUrlDecoder().decode(secret));
  }

  public String id() {
    return id;
  }

  /** The secret, to be kept where nobody else reads. */
  public String secret() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  /** Proof that somebody with this key named this task and this epoch. */
  byte[] mac(UUID task, long epoch) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(PURPOSE);
      ByteBuffer bound = ByteBuffer.allocate(3 * Long.BYTES);
      bound.putLong(task.getMostSignificantBits()).putLong(task.getLeastSignificantBits());
      return mac.doFinal(bound.putLong(epoch).array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "handle key " + id;
  }
}
