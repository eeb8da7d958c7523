// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.engine.task.StoreException;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Authenticates callers by their API keys. Until the first key is created every caller may do
 * everything; from then on every caller needs a key.
 *
 * <p>Answers of the store are cached for {@link #CACHE_TTL}. For that long a key that was revoked
 * on another node still works here, and so does a request without a key after another node created
 * the first one. Only valid keys are cached, by their hashes, so that invalid ones cannot fill the
 * memory. While the store is away, its answers count for a few minutes; see {@link OutageMemory}.
 */
public final class ApiKeyAuthenticator {

  /** How long an answer of the store is used. */
  public static final Duration CACHE_TTL = Duration.ofSeconds(3);

  private static final int MAX_CACHED = 1_000;
  private static final String INVALID_TOKEN = ", error=\"invalid_token\"";
  private static final Pattern BEARER = Pattern.compile("(?i:bearer) +(\\S+) *");

  private final ApiKeyStore store;
  private final Supplier<Duration> clock;
  private final OutageMemory<Boolean> keyExists;
  private final OutageMemory<Caller> verified;
  private final Map<String, CachedCaller> cache = new ConcurrentHashMap<>();
  private volatile boolean keyRequired;
  private volatile Duration recheckAt;

  /** Counts invalidations, so that a value read before the last one is not cached. */
  private volatile long generation;

  /** An authenticated caller and when to ask the store again. */
  private record CachedCaller(Caller caller, Duration expiresAt) {}

  /**
   * @param clock a monotonic clock
   * @param storeAway whether the store is known not to answer
   */
  public ApiKeyAuthenticator(
      ApiKeyStore store, Supplier<Duration> clock, BooleanSupplier storeAway) {
    this.store = store;
    this.clock = clock;
    this.keyExists = new OutageMemory<>(clock, storeAway, exists -> true);
    this.verified = new OutageMemory<>(clock, storeAway, caller -> true);
    this.recheckAt = clock.get();
  }

  /** True once a key was created, even if it is revoked by now. */
  public boolean isKeyRequired() {
    Duration now = clock.get();
    if (!keyRequired && now.compareTo(recheckAt) >= 0) {
      long seen = generation;
      boolean exists = keyExists.get("", () -> Optional.of(store.exists())).orElseThrow();
      updateKeyRequired(exists, now.plus(CACHE_TTL), seen);
    }
    return keyRequired;
  }

  /** Never goes back to false: revoked keys stay in the store. */
  private synchronized void updateKeyRequired(boolean keyExists, Duration until, long seen) {
    keyRequired |= keyExists;
    if (generation == seen) {
      recheckAt = until;
    }
  }

  /** Forgets everything that is cached, because keys have changed. */
  public synchronized void invalidate() {
    generation++;
    cache.clear();
    keyExists.forgetAll();
    verified.forgetAll();
    recheckAt = clock.get();
  }

  /**
   * The caller that these headers identify, or {@link Caller#UNAUTHENTICATED} if they have no key.
   *
   * @throws HttpProblemException if they carry an invalid, expired or revoked key
   */
  public Caller authenticate(Headers headers) {
    if (!isKeyRequired()) {
      return Caller.ANYONE;
    }
    List<String> given = headers.all("Authorization");
    return given.isEmpty() ? Caller.UNAUTHENTICATED : authenticateKey(given);
  }

  private Caller authenticateKey(List<String> given) {
    Matcher bearer = BEARER.matcher(given.getFirst());
    if (given.size() > 1 || !bearer.matches()) {
      throw unauthorized("send exactly one Authorization header, of the form: Bearer KEY");
    }
    return authenticate(bearer.group(1));
  }

  /**
   * The caller with this key.
   *
   * @throws HttpProblemException if the key is invalid, expired or revoked
   */
  public Caller authenticate(String key) {
    String hash = ApiKeyFormat.hash(key);
    CachedCaller before = cache.get(hash);
    if (before != null && before.expiresAt.compareTo(clock.get()) > 0) {
      return before.caller;
    }
    Duration asked = clock.get();
    long seen = generation;
    Caller caller = verified.get(hash, () -> Optional.of(verify(key, hash))).orElseThrow();
    cache(hash, new CachedCaller(caller, asked.plus(CACHE_TTL)), seen);
    return caller;
  }

  private Caller verify(String text, String hash) {
    Optional<ApiKeyStore.ApiKey> found =
        ApiKeyFormat.id(text)
            .flatMap(store::find)
            .filter(apiKey -> ApiKeyFormat.constantTimeEquals(apiKey.hash(), hash));
    if (found.isEmpty()) {
      throw unauthorized("the API key is unknown to this server");
    }
    ApiKeyStore.ApiKey apiKey = found.get();
    if (!apiKey.active()) {
      throw unauthorized(
          apiKey.revokedAt() == null ? "the API key has expired" : "the API key was revoked");
    }
    recordUse(apiKey);
    return new Caller(apiKey.name(), apiKey.id(), Role.all(apiKey.roles()));
  }

  private static HttpProblemException unauthorized(String detail) {
    return HttpProblemException.unauthorized(detail, INVALID_TOKEN);
  }

  /** At most once a minute, and only for information: a read-only store must not refuse callers. */
  private void recordUse(ApiKeyStore.ApiKey apiKey) {
    if (apiKey.recentlyUsed()) {
      return;
    }
    try {
      store.recordUse(apiKey.id());
    } catch (StoreException notRecorded) {
      return;
    }
  }

  private synchronized void cache(String hash, CachedCaller caller, long seen) {
    if (cache.size() >= MAX_CACHED) {
      Duration now = clock.get();
      cache.values().removeIf(old -> old.expiresAt.compareTo(now) <= 0);
    }
    if (cache.size() < MAX_CACHED && generation == seen) {
      cache.put(hash, caller);
    }
  }
}
