// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** API keys of callers. Only a hash of each key is stored. */
public interface ApiKeyStore {

  /**
   * A key to store.
   *
   * @param hash SHA-256 of the whole key, 64 hexadecimal digits
   * @param validity how long the key is valid from now on, or null if it does not expire
   */
  record NewApiKey(
      String id, String name, List<String> roles, String hash, @Nullable Duration validity) {
    public NewApiKey {
      roles = List.copyOf(roles);
    }
  }

  /**
   * A stored key.
   *
   * @param active true if the key is neither revoked nor expired
   * @param recentlyUsed true if a use was recorded within the last minute
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

  /** Returns whether a key was ever created. Keys are never deleted. */
  boolean exists();

  /** Stores a key. Repeating it changes nothing. */
  void add(NewApiKey key);

  Optional<ApiKey> find(String id);

  /** Returns the keys, newest first, at most {@code limit}, including revoked ones. */
  List<ApiKey> list(int limit);

  /** Records that the key is used now. */
  void recordUse(String id);

  /** Revokes the key and returns false if it does not exist. Revoking it again returns true. */
  boolean revoke(String id);
}
