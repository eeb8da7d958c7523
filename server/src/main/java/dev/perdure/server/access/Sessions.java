// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.engine.task.StoreException;
import dev.perdure.server.http.Request;
import dev.perdure.store.jdbc.access.SessionStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Sessions of people who logged in with an API key. A session has the roles of its key and ends
 * with it. Nothing is cached, so a session that ends is refused at once on every node.
 */
public final class Sessions {

  /** How long a session lasts after its last use. */
  static final Duration IDLE_TIMEOUT = Duration.ofHours(12);

  static final Duration MAX_LIFETIME = Duration.ofDays(7);

  private static final int MAX_PER_KEY = 100;
  private static final int TOKEN_BYTES = 32;

  private final SessionStore store;
  private final RandomGenerator random;

  /**
   * @param random must be cryptographically strong
   */
  public Sessions(SessionStore store, RandomGenerator random) {
    this.store = store;
    this.random = random;
  }

  /** Opens a session for the owner of this key, and returns its token. */
  public String open(String keyId) {
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    store.add(
        new SessionStore.NewSession(ApiKeyFormat.hash(token), keyId, IDLE_TIMEOUT, MAX_LIFETIME),
        MAX_PER_KEY);
    return token;
  }

  /** The live session whose cookie a request carries. */
  public Optional<SessionStore.Session> find(Request request) {
    return SessionCookie.token(request).map(ApiKeyFormat::hash).flatMap(this::find);
  }

  private Optional<SessionStore.Session> find(String hash) {
    Optional<SessionStore.Session> found = store.find(hash);
    if (found.isPresent() && !found.get().recentlyUsed()) {
      recordUse(hash);
    }
    return found;
  }

  /** At most once a minute; a store that cannot write now must not refuse its readers. */
  private void recordUse(String hash) {
    try {
      store.recordUse(hash, IDLE_TIMEOUT);
    } catch (StoreException notRecorded) {
      return;
    }
  }

  /** Ends the session whose cookie a request carries, if there is one. */
  public void end(Request request) {
    SessionCookie.token(request).map(ApiKeyFormat::hash).ifPresent(store::delete);
  }
}
