// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The keys by which callers are known. Of a key only a hash is kept. */
public interface ApiKeyStore {

  /**
   * A key that is handed out.
   *
   * @param hash of the whole key, 64 hexadecimal digits
   * @param validity how long from now it opens anything; null for ever
   */
  record NewApiKey(
      String id, String name, List<String> roles, String hash, @Nullable Duration validity) {
    public NewApiKey {
      roles = List.copyOf(roles);
    }
  }

  /**
   * A key that was handed out.
   *
   * @param active it is neither revoked nor past its time
   * @param recentlyUsed its use was noted within the last minute
   */
  record ApiKey(
      String id,
      String name,
      List<String> roles,
      String hash,
      Instant createdAt,
      @Nullable Instant expiresAt,
      @Nullable Instant usedAt,
      @Nullable Instant revokedAt,
      boolean active,
      boolean recentlyUsed) {
    public ApiKey {
      roles = List.copyOf(roles);
    }
  }

  /** Whether there ever was a key; then there always was one. */
  boolean exists();

  /** Writes a key. Repeating it changes nothing. */
  void add(NewApiKey key);

  Optional<ApiKey> find(String id);

  /** The newest, at most this many, newest first; those that are revoked too. */
  List<ApiKey> list(int limit);

  /** Notes that it is used now. */
  void recordUse(String id);

  /** From now on it opens nothing; false when there is no such key. Repeating it is confirmed. */
  boolean revoke(String id);
}
