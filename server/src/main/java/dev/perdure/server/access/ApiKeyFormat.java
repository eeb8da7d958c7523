// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The format of an API key: {@code pk_}, the id that its row is found by, and a secret of 256
 * random bits. Such a secret cannot be guessed, so a plain SHA-256 of it is enough; slow hashes are
 * for passwords that people choose.
 */
final class ApiKeyFormat {

  private static final int SECRET_BYTES = 32;
  private static final int ID_LENGTH = 12;
  private static final String ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
  private static final Pattern KEY = Pattern.compile("pk_([a-z0-9]{12})_[A-Za-z0-9_-]{43}");

  private ApiKeyFormat() {}

  static String newId(RandomGenerator random) {
    StringBuilder id = new StringBuilder();
    for (int i = 0; i < ID_LENGTH; i++) {
      id.append(ID_ALPHABET.charAt(random.nextInt(ID_ALPHABET.length())));
    }
    return id.toString();
  }

  /** A new key with this id. */
  static String of(String id, RandomGenerator random) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return "pk_" + id + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  /** The id of a key; empty if the text is not a key. */
  static Optional<String> id(String key) {
    Matcher matcher = KEY.matcher(key);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** Hashes the whole text, because base64 can spell the same bytes in several ways. */
  static String hash(String key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  /** Takes the same time wherever the texts differ, so that nothing can be learned from it. */
  static boolean constantTimeEquals(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }
}
