// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.engine.store.StoreException;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Callers;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.access.KeyBook;
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
 * <p>What the store said is believed for {@link #BELIEVED}: so long may a key that was revoked on
 * another node, or the time before the first key, last here. Only right keys are remembered, by
 * their hashes, so that wrong ones cannot fill the memory.
 */
public final class Keyring implements Callers {

  /** How long what the store said holds. */
  public static final Duration BELIEVED = Duration.ofSeconds(3);

  private static final int MOST_REMEMBERED = 1_000;
  private static final String WRONG = ", error=\"invalid_token\"";
  private static final Pattern BEARER = Pattern.compile("(?i:bearer) +(\\S+) *");

  private final KeyBook book;
  private final Supplier<Duration> clock;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private volatile boolean asks;
  private volatile Duration askAgain;

  /** How often the store has changed: what was read before the last change is not remembered. */
  private volatile long changes;

  /** A caller, as long as it is believed to be one. */
  private record Known(Caller caller, Duration until) {}

  /**
   * @param clock time that never goes back
   */
  public Keyring(KeyBook book, Supplier<Duration> clock) {
    this.book = book;
    this.clock = clock;
    this.askAgain = clock.get();
  }

  /** Whether a key is asked for. */
  public boolean asks() {
    Duration now = clock.get();
    if (!asks && now.compareTo(askAgain) >= 0) {
      long seen = changes;
      believe(book.any(), now.plus(BELIEVED), seen);
    }
    return asks;
  }

  /** There is no way back: where there was a key there always was one. */
  private synchronized void believe(boolean any, Duration until, long seen) {
    asks |= any;
    if (changes == seen) {
      askAgain = until;
    }
  }

  /** The store has changed: look again. */
  public synchronized void forget() {
    changes++;
    known.clear();
    askAgain = clock.get();
  }

  @Override
  public Caller of(Headers headers) {
    if (!asks()) {
      return Caller.ANYONE;
    }
    List<String> given = headers.all("Authorization");
    return given.isEmpty() ? Caller.STRANGER : ofKey(given);
  }

  private Caller ofKey(List<String> given) {
    Matcher bearer = BEARER.matcher(given.getFirst());
    if (given.size() > 1 || !bearer.matches()) {
      throw wrong("the header Authorization must be there once and say Bearer, a blank and a key");
    }
    String key = bearer.group(1);
    String hash = KeyFormat.hash(key);
    Known before = known.get(hash);
    if (before != null && before.until.compareTo(clock.get()) > 0) {
      return before.caller;
    }
    Duration asked = clock.get();
    long seen = changes;
    Caller caller = verified(key, hash);
    remember(hash, new Known(caller, asked.plus(BELIEVED)), seen);
    return caller;
  }

  private Caller verified(String text, String hash) {
    Optional<KeyBook.Key> found =
        KeyFormat.id(text).flatMap(book::find).filter(key -> KeyFormat.same(key.hash(), hash));
    if (found.isEmpty()) {
      throw wrong("this server does not know the key");
    }
    KeyBook.Key key = found.get();
    if (!key.live()) {
      throw wrong(key.revokedAt() == null ? "the key has expired" : "the key was revoked");
    }
    note(key);
    return new Caller(key.name(), key.id(), roles(key));
  }

  private static RefusedException wrong(String detail) {
    return RefusedException.unauthorized(detail, WRONG);
  }

  private static Set<Role> roles(KeyBook.Key key) {
    return key.roles().stream().flatMap(text -> Role.of(text).stream()).collect(Collectors.toSet());
  }

  /** Once a minute, and only for people's information: a store that only reads stops nobody. */
  private void note(KeyBook.Key key) {
    if (key.usedLately()) {
      return;
    }
    try {
      book.use(key.id());
    } catch (StoreException notNoted) {
      return;
    }
  }

  private synchronized void remember(String hash, Known caller, long seen) {
    if (known.size() >= MOST_REMEMBERED) {
      Duration now = clock.get();
      known.values().removeIf(old -> old.until.compareTo(now) <= 0);
    }
    if (known.size() < MOST_REMEMBERED && changes == seen) {
      known.put(hash, caller);
    }
  }
}
