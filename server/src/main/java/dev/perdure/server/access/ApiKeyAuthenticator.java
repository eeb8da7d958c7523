// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.engine.task.StoreException;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.CallerAuthenticator;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Knows callers by their keys. While there was never a key, everybody may do everything; from the
 * first one on nobody comes in without.
 *
 * <p>What the store said is believed for {@link #CACHE_TTL}: so long may a key that was revoked on
 * another node, or the time before the first key, last here. Only right keys are remembered, by
 * their hashes, so that wrong ones cannot fill the memory.
 */
public final class ApiKeyAuthenticator implements CallerAuthenticator {

  /** How long what the store said holds. */
  public static final Duration CACHE_TTL = Duration.ofSeconds(3);

  private static final int MAX_CACHED = 1_000;
  private static final String INVALID_TOKEN = ", error=\"invalid_token\"";
  private static final Pattern BEARER = Pattern.compile("(?i:bearer) +(\\S+) *");

  private final ApiKeyStore book;
  private final Supplier<Duration> clock;
  private final Map<String, CachedCaller> cache = new ConcurrentHashMap<>();
  private volatile boolean keyRequired;
  private volatile Duration recheckAt;

  /** How often the store has changed: what was read before the last change is not remembered. */
  private volatile long generation;

  /** A caller, as long as it is believed to be one. */
  private record CachedCaller(Caller caller, Duration expiresAt) {}

  /**
   * @param clock time that never goes back
   */
  public ApiKeyAuthenticator(ApiKeyStore book, Supplier<Duration> clock) {
    this.book = book;
    this.clock = clock;
    this.recheckAt = clock.get();
  }

  /** Whether a key is asked for. */
  public boolean isKeyRequired() {
    Duration now = clock.get();
    if (!keyRequired && now.compareTo(recheckAt) >= 0) {
      long seen = generation;
      updateKeyRequired(book.exists(), now.plus(CACHE_TTL), seen);
    }
    return keyRequired;
  }

  /** There is no way back: where there was a key there always was one. */
  private synchronized void updateKeyRequired(boolean any, Duration until, long seen) {
    keyRequired |= any;
    if (generation == seen) {
      recheckAt = until;
    }
  }

  /** The store has changed: look again. */
  public synchronized void invalidate() {
    generation++;
    cache.clear();
    recheckAt = clock.get();
  }

  @Override
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
      throw unauthorized(
          "the header Authorization must be there once and say Bearer, a blank and a key");
    }
    String key = bearer.group(1);
    String hash = ApiKeyFormat.hash(key);
    CachedCaller before = cache.get(hash);
    if (before != null && before.expiresAt.compareTo(clock.get()) > 0) {
      return before.caller;
    }
    Duration asked = clock.get();
    long seen = generation;
    Caller caller = verify(key, hash);
    cache(hash, new CachedCaller(caller, asked.plus(CACHE_TTL)), seen);
    return caller;
  }

  private Caller verify(String text, String hash) {
    Optional<ApiKeyStore.ApiKey> found =
        ApiKeyFormat.id(text)
            .flatMap(book::find)
            .filter(apiKey -> ApiKeyFormat.constantTimeEquals(apiKey.hash(), hash));
    if (found.isEmpty()) {
      throw unauthorized("this server does not know the key");
    }
    ApiKeyStore.ApiKey apiKey = found.get();
    if (!apiKey.active()) {
      throw unauthorized(
          apiKey.revokedAt() == null ? "the key has expired" : "the key was revoked");
    }
    recordUse(apiKey);
    return new Caller(apiKey.name(), apiKey.id(), roles(apiKey));
  }

  private static HttpProblemException unauthorized(String detail) {
    return HttpProblemException.unauthorized(detail, INVALID_TOKEN);
  }

  private static Set<Role> roles(ApiKeyStore.ApiKey apiKey) {
    return apiKey.roles().stream()
        .flatMap(text -> Role.of(text).stream())
        .collect(Collectors.toSet());
  }

  /** Once a minute, and only for people's information: a store that only reads stops nobody. */
  private void recordUse(ApiKeyStore.ApiKey apiKey) {
    if (apiKey.recentlyUsed()) {
      return;
    }
    try {
      book.recordUse(apiKey.id());
    } catch (StoreException notNoted) {
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
