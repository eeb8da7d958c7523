// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Issues and verifies the tokens with which a callee settles its attempt, and nothing else. A token
 * is a function of the key, the task and the handle's epoch, so nothing is stored, and an {@code
 * on_start} that is sent again carries the same token. The token contains its epoch in clear, which
 * tells a stale token from a forged one.
 *
 * <p>The first key issues new tokens; all keys verify.
 */
public final class HandleTokens {

  private static final String VERSION = "ph1";
  private static final int MAX_KEYS = 16;
  private static final Pattern TOKEN =
      Pattern.compile(VERSION + "\\.([a-z0-9]{1,16})\\.(0|[1-9]\\d{0,17})\\.[A-Za-z0-9_-]{43}");

  private final List<HandleKey> keys;

  public HandleTokens(List<HandleKey> keys) {
    this.keys = List.copyOf(keys);
    long ids = this.keys.stream().map(HandleKey::id).distinct().count();
    if (ids == 0 || ids > MAX_KEYS || ids < this.keys.size()) {
      throw new IllegalArgumentException(
          "must be 1 to %d keys with different ids".formatted(MAX_KEYS));
    }
  }

  /** The token of this task and epoch; the same each time as long as the first key stays. */
  public String issue(UUID task, long epoch) {
    if (epoch < 0) {
      throw new IllegalArgumentException("an epoch must be 0 or more, not " + epoch);
    }
    return issue(keys.get(0), task, epoch);
  }

  /**
   * The epoch of a genuine token; empty when the token is forged or belongs to another task.
   * Whether the epoch is still current is for the store to decide.
   */
  public OptionalLong verify(UUID task, String token) {
    Matcher matcher = TOKEN.matcher(token);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    long epoch = Long.parseLong(matcher.group(2));
    // Compared as text, because several base64 texts decode to the same bytes.
    boolean genuine =
        keys.stream()
            .filter(key -> key.id().equals(matcher.group(1)))
            .anyMatch(key -> constantTimeEquals(issue(key, task, epoch), token));
    return genuine ? OptionalLong.of(epoch) : OptionalLong.empty();
  }

  /** Takes the same time wherever the texts differ. */
  private static boolean constantTimeEquals(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  private static String issue(HandleKey key, UUID task, long epoch) {
    String proof = Base64.getUrlEncoder().withoutPadding().encodeToString(key.mac(task, epoch));
    return String.join(".", VERSION, key.id(), Long.toString(epoch), proof);
  }
}
