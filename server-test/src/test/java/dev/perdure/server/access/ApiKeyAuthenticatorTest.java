// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyAuthenticatorTest {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path folder;
  private Instant now = START;
  private JdbcStore store;
  private ApiKeyStore keyStore;
  private ApiKeys apiKeys;
  private ApiKeyAuthenticator authenticator;
  private boolean away;

  @BeforeEach
  void open() {
    store =
        JdbcStore.builder().url("sqlite:" + folder.resolve("perdure.db")).clock(() -> now).open();
    keyStore = store.access().apiKeys();
    apiKeys = new ApiKeys(keyStore, new SplittableRandom(1));
    authenticator =
        new ApiKeyAuthenticator(keyStore, () -> Duration.between(START, now), () -> away);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Headers authorization(String... values) {
    return Headers.from(
        each -> {
          for (String value : values) {
            each.accept("Authorization", value);
          }
        });
  }

  private Caller caller(String key) {
    return authenticator.authenticate(authorization("Bearer " + key));
  }

  private HttpProblemException refusal(String... values) {
    return catchThrowableOfType(
        HttpProblemException.class, () -> authenticator.authenticate(authorization(values)));
  }

  private void advance(Duration time) {
    now = now.plus(time);
  }

  /** Runs an action during the first read, as if another thread changed the keys. */
  private static final class ConcurrentlyChangedKeys implements ApiKeyStore {

    private final ApiKeyStore inner;
    private Runnable duringFirstRead;

    ConcurrentlyChangedKeys(ApiKeyStore inner, Runnable duringFirstRead) {
      this.inner = inner;
      this.duringFirstRead = duringFirstRead;
    }

    private <T> T read(T found) {
      Runnable action = duringFirstRead;
      duringFirstRead = () -> {};
      action.run();
      return found;
    }

    @Override
    public boolean exists() {
      return inner.exists() || read(false);
    }

    @Override
    public Optional<ApiKey> find(String id) {
      return read(inner.find(id));
    }

    @Override
    public void add(NewApiKey key) {
      inner.add(key);
    }

    @Override
    public List<ApiKey> list(int limit) {
      return inner.list(limit);
    }

    @Override
    public void recordUse(String id) {
      inner.recordUse(id);
    }

    @Override
    public boolean revoke(String id) {
      return inner.revoke(id);
    }
  }

  @Nested
  class WithoutAKey {

    @Test
    void a_first_key_created_here_during_a_check_is_required_from_the_next_request() {
      ApiKeyStore changing =
          new ConcurrentlyChangedKeys(
              keyStore,
              () -> {
                apiKeys.create("ops", List.of("admin"), null);
                authenticator.invalidate();
              });
      authenticator =
          new ApiKeyAuthenticator(changing, () -> Duration.between(START, now), () -> away);
      authenticator.authenticate(authorization());

      assertThat(authenticator.authenticate(authorization())).isEqualTo(Caller.UNAUTHENTICATED);
    }

    @Test
    void every_caller_may_do_everything() {
      assertThat(authenticator.authenticate(authorization())).isEqualTo(Caller.ANYONE);
      assertThat(caller("pk_whatever")).isEqualTo(Caller.ANYONE);
    }

    @Test
    void nobody_needs_a_key_while_the_store_is_away() {
      authenticator.authenticate(authorization());
      store.close();
      away = true;

      advance(ApiKeyAuthenticator.CACHE_TTL);
      assertThat(authenticator.authenticate(authorization())).isEqualTo(Caller.ANYONE);
      advance(OutageMemory.REMEMBERED_FOR.plus(ApiKeyAuthenticator.CACHE_TTL));
      assertThatThrownBy(() -> authenticator.authenticate(authorization()))
          .isInstanceOf(StoreException.class);
    }

    @Test
    void a_first_key_created_elsewhere_is_required_after_the_cache_ttl() {
      authenticator.authenticate(authorization());
      apiKeys.create("ops", List.of("admin"), null);

      advance(ApiKeyAuthenticator.CACHE_TTL.minusMillis(1));
      assertThat(authenticator.authenticate(authorization())).isEqualTo(Caller.ANYONE);
      advance(Duration.ofMillis(1));
      assertThat(authenticator.authenticate(authorization())).isEqualTo(Caller.UNAUTHENTICATED);
    }

    @Test
    void the_first_key_must_have_the_role_admin() {
      assertThatThrownBy(() -> apiKeys.create("ci", List.of("submit", "read", "work"), null))
          .isInstanceOf(InvalidPolicyException.class)
          .hasMessageContaining("the first key must have the role admin");
      assertThat(keyStore.exists()).isFalse();
    }
  }

  @Nested
  class WithKeys {

    private String admin;

    @BeforeEach
    void create() {
      admin = apiKeys.create("ops", List.of("admin"), null).secret();
    }

    @Test
    void a_valid_key_authenticates_a_caller_with_its_name_and_roles() {
      IssuedApiKey created = apiKeys.create("ci", List.of("submit", "read"), null);

      Caller caller = caller(created.secret());
      assertThat(caller.name()).isEqualTo("ci");
      assertThat(caller.keyId()).isEqualTo(created.key().id());
      assertThat(caller.roles()).containsExactlyInAnyOrder(Role.SUBMIT, Role.READ);
      assertThat(created.secret()).matches("pk_[a-z0-9]{12}_[A-Za-z0-9_-]{43}");
      assertThat(created.toString()).doesNotContain(created.secret().substring(16));
    }

    @Test
    void a_request_without_a_key_is_unauthenticated() {
      assertThat(authenticator.authenticate(authorization())).isEqualTo(Caller.UNAUTHENTICATED);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "Basic dXNlcjpwYXNz",
          "Bearer",
          "Bearer ",
          "Bearer a b",
          "Bearer pk_",
          "Bearer pk_aaaaaaaaaaaa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
          "pk_aaaaaaaaaaaa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        })
    void an_invalid_authorization_header_is_refused(String value) {
      HttpProblemException refused = refusal(value);

      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.headers())
          .containsEntry("WWW-Authenticate", "Bearer realm=\"perdure\", error=\"invalid_token\"");
    }

    @Test
    void a_key_with_any_character_changed_is_refused() {
      for (int i = 0; i < admin.length(); i++) {
        char other = admin.charAt(i) == 'a' ? 'b' : 'a';
        String wrong = admin.substring(0, i) + other + admin.substring(i + 1);
        assertThat(refusal("Bearer " + wrong).status()).as(wrong).isEqualTo(401);
      }
      assertThat(refusal("Bearer " + admin + "A").status()).isEqualTo(401);
      assertThat(caller(admin).name()).isEqualTo("ops");
    }

    @Test
    void two_authorization_headers_are_refused() {
      assertThat(refusal("Bearer " + admin, "Bearer " + admin).status()).isEqualTo(401);
    }

    @Test
    void the_scheme_ignores_case() {
      assertThat(authenticator.authenticate(authorization("bearer  " + admin)).name())
          .isEqualTo("ops");
    }

    @Test
    void a_key_revoked_elsewhere_is_refused_after_the_cache_ttl() {
      assertThat(caller(admin).name()).isEqualTo("ops");
      keyStore.revoke(keyStore.list(1).getFirst().id());

      advance(ApiKeyAuthenticator.CACHE_TTL.minusMillis(1));
      assertThat(caller(admin).name()).isEqualTo("ops");
      advance(Duration.ofMillis(1));
      assertThat(refusal("Bearer " + admin).detail()).isEqualTo("the API key was revoked");
      assertThat(ApiKeyAuthenticator.CACHE_TTL).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_key_revoked_here_is_refused_at_once() {
      caller(admin);
      keyStore.revoke(keyStore.list(1).getFirst().id());
      authenticator.invalidate();

      assertThat(refusal("Bearer " + admin).status()).isEqualTo(401);
    }

    @Test
    void a_key_revoked_during_its_lookup_is_not_cached() {
      ApiKeyStore revoking =
          new ConcurrentlyChangedKeys(
              keyStore,
              () -> {
                keyStore.revoke(keyStore.list(1).getFirst().id());
                authenticator.invalidate();
              });
      authenticator =
          new ApiKeyAuthenticator(revoking, () -> Duration.between(START, now), () -> away);
      caller(admin);

      assertThat(refusal("Bearer " + admin).detail()).isEqualTo("the API key was revoked");
    }

    @Test
    void a_key_is_still_required_after_the_last_one_is_revoked() {
      keyStore.revoke(keyStore.list(1).getFirst().id());
      authenticator.invalidate();

      assertThat(authenticator.authenticate(authorization())).isEqualTo(Caller.UNAUTHENTICATED);
    }

    @Test
    void an_expired_key_is_refused() {
      String shortLived =
          apiKeys.create("short-lived", List.of("read"), Duration.ofMinutes(1)).secret();
      assertThat(caller(shortLived).name()).isEqualTo("short-lived");

      advance(Duration.ofMinutes(1));

      assertThat(refusal("Bearer " + shortLived).detail()).isEqualTo("the API key has expired");
    }

    @Test
    void a_key_that_was_let_in_before_counts_for_minutes_while_the_store_is_away() {
      String other = apiKeys.create("other", List.of("read"), null).secret();
      caller(admin);
      store.close();
      away = true;

      advance(ApiKeyAuthenticator.CACHE_TTL);
      assertThat(caller(admin).name()).isEqualTo("ops");
      assertThatThrownBy(() -> caller(other)).isInstanceOf(StoreException.class);
      advance(OutageMemory.REMEMBERED_FOR);
      assertThatThrownBy(() -> caller(admin)).isInstanceOf(StoreException.class);
    }

    @Test
    void a_revoked_key_does_not_count_while_the_store_is_away() {
      caller(admin);
      keyStore.revoke(keyStore.list(1).getFirst().id());
      advance(ApiKeyAuthenticator.CACHE_TTL);
      assertThat(refusal("Bearer " + admin).status()).isEqualTo(401);
      store.close();
      away = true;

      assertThatThrownBy(() -> caller(admin)).isInstanceOf(StoreException.class);
    }

    @Test
    void the_use_of_a_key_is_recorded_at_most_once_a_minute() {
      caller(admin);
      assertThat(keyStore.list(1).getFirst().usedAt()).isEqualTo(START);
      advance(Duration.ofSeconds(30));
      caller(admin);
      assertThat(keyStore.list(1).getFirst().usedAt()).isEqualTo(START);
      advance(Duration.ofSeconds(31));
      caller(admin);
      assertThat(keyStore.list(1).getFirst().usedAt()).isEqualTo(now);
    }
  }

  @Nested
  class CreatingAKey {

    @Test
    void reports_all_errors_at_once() {
      assertThatThrownBy(() -> apiKeys.create(" ", List.of("admn", "reed"), Duration.ofMillis(1)))
          .isInstanceOf(InvalidPolicyException.class)
          .hasMessageContaining("name: must be 1 to 255 printable characters")
          .hasMessageContaining("unknown role 'admn'; did you mean 'admin'?")
          .hasMessageContaining("unknown role 'reed'")
          .hasMessageContaining("expires_after: must be 1s to 3650d");
      assertThatThrownBy(() -> apiKeys.create("x", List.of(), null))
          .hasMessageContaining("roles: must be one or more of read, submit, work, operate, admin");
      assertThatThrownBy(() -> apiKeys.create("a\nb", List.of("admin"), null))
          .hasMessageContaining("name: must be");
    }

    @Test
    void stores_only_a_hash() {
      IssuedApiKey created = apiKeys.create("ops", List.of("admin"), null);

      ApiKeyStore.ApiKey stored = keyStore.find(created.key().id()).orElseThrow();
      assertThat(stored.hash()).matches("[0-9a-f]{64}");
      assertThat(stored.toString()).doesNotContain(created.secret().substring(16));
    }
  }
}
