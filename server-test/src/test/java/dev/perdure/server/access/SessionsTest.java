// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.StoreException;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.store.jdbc.access.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SessionsTest {

  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  private final FakeStore store = new FakeStore();
  private Duration now = Duration.ZERO;
  private Instant today = LATER.minusSeconds(60);
  private boolean away;
  private final Sessions sessions =
      new Sessions(store, new SplittableRandom(1), () -> now, () -> away, () -> today);

  /** Has one session with the hash that was added last. */
  private static final class FakeStore implements SessionStore {
    private final List<NewSession> added = new ArrayList<>();
    private final List<String> uses = new ArrayList<>();
    private boolean recentlyUsed;
    private boolean writable = true;
    private boolean readable = true;
    private Runnable whileFinding = () -> {};

    @Override
    public void add(NewSession session, int maxPerKey) {
      added.add(session);
    }

    @Override
    public Optional<Session> find(String hash) {
      if (!readable) {
        throw new StoreException("away", null, StoreException.ErrorKind.UNAVAILABLE);
      }
      Optional<Session> found =
          added.stream()
              .filter(session -> session.hash().equals(hash))
              .map(
                  session ->
                      new Session(session.keyId(), "ops", List.of("read"), LATER, recentlyUsed))
              .findFirst();
      Runnable meanwhile = whileFinding;
      whileFinding = () -> {};
      meanwhile.run();
      return found;
    }

    @Override
    public void recordUse(String hash, Duration idleTimeout) {
      if (!writable) {
        throw new StoreException("read-only", null, StoreException.ErrorKind.UNAVAILABLE);
      }
      uses.add(hash + " " + idleTimeout);
    }

    @Override
    public void delete(String hash) {
      added.removeIf(session -> session.hash().equals(hash));
    }
  }

  private static Request request(String token) {
    Headers headers =
        Headers.from(
            each -> {
              each.accept("Cookie", "perdure_session=" + token);
              each.accept("Sec-Fetch-Site", "same-origin");
            });
    return Request.of("GET", "/task", QueryParameters.parse(null), headers, () -> new byte[0]);
  }

  @Test
  void a_token_has_256_random_bits_and_only_its_hash_is_stored() {
    String token = sessions.open("k1");

    assertThat(token).matches("[A-Za-z0-9_-]{43}").isNotEqualTo(sessions.open("k1"));
    assertThat(store.added)
        .first()
        .isEqualTo(
            new SessionStore.NewSession(
                ApiKeyFormat.hash(token), "k1", Duration.ofHours(12), Duration.ofDays(7)));
    assertThat(sessions.find(request(token))).isPresent();
    assertThat(sessions.find(request(ApiKeyFormat.hash(token)))).isEmpty();
  }

  @Test
  void a_use_is_recorded_unless_one_was_within_the_last_minute() {
    String token = sessions.open("k1");
    sessions.find(request(token));
    store.recentlyUsed = true;
    sessions.find(request(token));
    sessions.find(request("x".repeat(43)));

    assertThat(store.uses).containsExactly(ApiKeyFormat.hash(token) + " PT12H");
  }

  @Test
  void a_store_that_cannot_write_still_finds_sessions() {
    String token = sessions.open("k1");
    store.writable = false;

    assertThat(sessions.find(request(token))).isPresent();
  }

  @Test
  void a_session_that_was_found_before_counts_for_minutes_while_the_store_is_away() {
    String token = sessions.open("k1");
    String other = sessions.open("k1");
    sessions.find(request(token));
    store.readable = false;

    assertThat(sessions.find(request(token))).as("before it is noticed").isPresent();
    away = true;
    assertThat(sessions.find(request(token))).isPresent();
    assertThatThrownBy(() -> sessions.find(request(other))).isInstanceOf(StoreException.class);
    now = OutageMemory.REMEMBERED_FOR.minusNanos(1);
    assertThat(sessions.find(request(token))).isPresent();
    now = OutageMemory.REMEMBERED_FOR;
    assertThatThrownBy(() -> sessions.find(request(token))).isInstanceOf(StoreException.class);
  }

  @Test
  void a_session_that_has_ended_is_not_remembered() {
    String token = sessions.open("k1");
    String other = sessions.open("k1");
    sessions.find(request(token));
    sessions.find(request(other));
    sessions.end(request(token));
    store.delete(ApiKeyFormat.hash(other));
    assertThat(sessions.find(request(other))).as("it has ended on another node").isEmpty();
    store.readable = false;
    away = true;

    assertThatThrownBy(() -> sessions.find(request(token))).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> sessions.find(request(other))).isInstanceOf(StoreException.class);
  }

  private void takeStoreAway() {
    store.readable = false;
    away = true;
  }

  @Test
  void nothing_is_remembered_after_a_key_was_revoked() {
    String token = sessions.open("k1");
    sessions.find(request(token));
    sessions.forgetAll();
    takeStoreAway();

    assertThatThrownBy(() -> sessions.find(request(token))).isInstanceOf(StoreException.class);
  }

  @Test
  void a_session_that_is_remembered_ends_in_time() {
    String token = sessions.open("k1");
    sessions.find(request(token));
    takeStoreAway();

    today = LATER.minusNanos(1);
    assertThat(sessions.find(request(token))).isPresent();
    today = LATER;
    assertThatThrownBy(() -> sessions.find(request(token))).isInstanceOf(StoreException.class);
  }

  @Test
  void a_session_is_remembered_although_an_unknown_one_was_refused_meanwhile() {
    String token = sessions.open("k1");
    store.whileFinding = () -> sessions.find(request("x".repeat(43)));
    sessions.find(request(token));
    takeStoreAway();

    assertThat(sessions.find(request(token))).isPresent();
  }

  @Test
  void a_session_that_ends_while_it_is_found_is_not_remembered() {
    String token = sessions.open("k1");
    store.whileFinding = () -> sessions.end(request(token));
    sessions.find(request(token));
    takeStoreAway();

    assertThatThrownBy(() -> sessions.find(request(token))).isInstanceOf(StoreException.class);
  }
}
