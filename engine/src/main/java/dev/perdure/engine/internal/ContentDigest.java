// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of a sequence of values. Lengths are part of it, so two values never look like one.
 */
public final class ContentDigest {

  private static final int NULL_LENGTH = -1;

  private final MessageDigest digest;

  public ContentDigest() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Adds the value's text, preceded by its length. */
  public ContentDigest add(@Nullable Object value) {
    byte[] bytes = value == null ? new byte[0] : value.toString().getBytes(StandardCharsets.UTF_8);
    digest.update(
        ByteBuffer.allocate(Integer.BYTES).putInt(0, value == null ? NULL_LENGTH : bytes.length));
    digest.update(bytes);
    return this;
  }

  /** The digest in hexadecimal digits. */
  public String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
