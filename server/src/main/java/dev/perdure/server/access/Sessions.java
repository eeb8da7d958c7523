// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.engine.task.StoreException;
import dev.perdure.server.http.Request;
import dev.perdure.store.jdbc.access.SessionStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Sessions of people who logged in with an API key. A session has the roles of its key and ends
 * with it. The store is always asked, so a session that ends is refused at once on every node. Only
 * while the store is away, its answers of the last minutes count; see {@link OutageMemory}.
 */
public final class Sessions {

  /** How long a session lasts after its last use. */
  static final Duration IDLE_TIMEOUT = Duration.ofHours(12);

  static final Duration MAX_LIFETIME = Duration.ofDays(7);

  private static final int MAX_PER_KEY = 100;
  private static final int TOKEN_BYTES = 32;

  private final SessionStore store;
  private final RandomGenerator random;
  private final OutageMemory<SessionStore.Session> known;

  /**
   * @param random must be cryptographically strong
   * @param clock a monotonic clock
   * @param storeAway whether the store is known not to answer
   * @param timeOfDay tells when a session that is remembered ends
   */
  public Sessions(
      SessionStore store,
      RandomGenerator random,
      Supplier<Duration> clock,
      BooleanSupplier storeAway,
      InstantSource timeOfDay) {
    this.store = store;
    this.random = random;
    this.known =
        new OutageMemory<>(
            clock, storeAway, session -> session.expiresAt().isAfter(timeOfDay.instant()));
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
    return SessionCookie.token(request)
        .map(ApiKeyFormat::hash)
        .flatMap(hash -> known.get(hash, () -> find(hash)));
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

  /** Forgets what is remembered for an outage, because keys have changed. */
  public void forgetAll() {
    known.forgetAll();
  }

  /** Ends the session whose cookie a request carries, if there is one. */
  public void end(Request request) {
    SessionCookie.token(request)
        .map(ApiKeyFormat::hash)
        .ifPresent(
            hash -> {
              store.delete(hash);
              known.forget(hash);
            });
  }
}
