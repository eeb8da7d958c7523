// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Sessions of people who logged in with an API key in a browser. Only a hash of each token is
 * stored. A session ends with its key, because it is found together with the key.
 */
public interface SessionStore {

  /**
   * A session to store.
   *
   * @param hash SHA-256 of the token, 64 hexadecimal digits
   * @param keyId the API key that it was opened with
   * @param idleTimeout how long the session lasts after its last use
   * @param maxLifetime how long it lasts at most, not shorter than {@code idleTimeout}
   */
  record NewSession(String hash, String keyId, Duration idleTimeout, Duration maxLifetime) {}

  /**
   * A session that has not ended.
   *
   * @param keyName the name of its API key, for people
   * @param roles the roles of its API key
   * @param expiresAt when it ends if it is not used any more, or earlier with its key
   * @param recentlyUsed true if a use was recorded within the last minute
   */
  record Session(
      String keyId, String keyName, List<String> roles, Instant expiresAt, boolean recentlyUsed) {
    public Session {
      roles = List.copyOf(roles);
    }
  }

  /**
   * Stores a session. Deletes sessions that have expired, and those sessions of the key that were
   * not used for the longest time, if there are more than {@code maxPerKey}.
   */
  void add(NewSession session, int maxPerKey);

  /** Returns the session with this hash, unless it or its key has expired or was revoked. */
  Optional<Session> find(String hash);

  /** Records that the session is used now, which makes it last longer. */
  void recordUse(String hash, Duration idleTimeout);

  /** Ends a session. Repeating it changes nothing. */
  void delete(String hash);
}
