// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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

  private static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path folder;
  private Instant now = BEGIN;
  private JdbcStore store;
  private ApiKeyStore book;
  private ApiKeys apiKeys;
  private ApiKeyAuthenticator apiKeyAuthenticator;

  @BeforeEach
  void open() {
    store =
        JdbcStore.builder().url("sqlite:" + folder.resolve("perdure.db")).clock(() -> now).open();
    book = store.access().apiKeys();
    apiKeys = new ApiKeys(book, new SplittableRandom(1));
    apiKeyAuthenticator = new ApiKeyAuthenticator(book, () -> Duration.between(BEGIN, now));
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
    return apiKeyAuthenticator.authenticate(authorization("Bearer " + key));
  }

  private HttpProblemException refusal(String... values) {
    return catchThrowableOfType(
        HttpProblemException.class, () -> apiKeyAuthenticator.authenticate(authorization(values)));
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  /** Something happens behind the first look into it. */
  private static final class ConcurrentlyChangedKeys implements ApiKeyStore {

    private final ApiKeyStore inner;
    private Runnable meanwhile;

    ConcurrentlyChangedKeys(ApiKeyStore inner, Runnable meanwhile) {
      this.inner = inner;
      this.meanwhile = meanwhile;
    }

    private <T> T read(T found) {
      Runnable now = meanwhile;
      meanwhile = () -> {};
      now.run();
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
  class WithoutAnyKey {

    @Test
    void the_first_one_made_here_is_noticed_at_once_though_somebody_was_just_looking() {
      ApiKeyStore changing =
          new ConcurrentlyChangedKeys(
              book,
              () -> {
                apiKeys.create("ops", List.of("admin"), null);
                apiKeyAuthenticator.invalidate();
              });
      apiKeyAuthenticator = new ApiKeyAuthenticator(changing, () -> Duration.between(BEGIN, now));
      apiKeyAuthenticator.authenticate(authorization());

      assertThat(apiKeyAuthenticator.authenticate(authorization()))
          .isEqualTo(Caller.UNAUTHENTICATED);
    }

    @Test
    void everybody_may_do_everything() {
      assertThat(apiKeyAuthenticator.authenticate(authorization())).isEqualTo(Caller.ANYONE);
      assertThat(caller("pk_whatever")).isEqualTo(Caller.ANYONE);
    }

    @Test
    void the_first_one_is_noticed_in_a_while() {
      apiKeyAuthenticator.authenticate(authorization());
      apiKeys.create("ops", List.of("admin"), null);

      pass(ApiKeyAuthenticator.CACHE_TTL.minusMillis(1));
      assertThat(apiKeyAuthenticator.authenticate(authorization())).isEqualTo(Caller.ANYONE);
      pass(Duration.ofMillis(1));
      assertThat(apiKeyAuthenticator.authenticate(authorization()))
          .isEqualTo(Caller.UNAUTHENTICATED);
    }

    @Test
    void the_first_one_must_be_able_to_make_another() {
      assertThatThrownBy(() -> apiKeys.create("ci", List.of("submit", "read", "work"), null))
          .isInstanceOf(InvalidPolicyException.class)
          .hasMessageContaining("the first key must have the role admin");
      assertThat(book.exists()).isFalse();
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
    void a_key_is_known_by_its_name_and_roles() {
      IssuedApiKey made = apiKeys.create("ci", List.of("submit", "read"), null);

      Caller caller = caller(made.secret());
      assertThat(caller.name()).isEqualTo("ci");
      assertThat(caller.keyId()).isEqualTo(made.key().id());
      assertThat(caller.roles()).containsExactlyInAnyOrder(Role.SUBMIT, Role.READ);
      assertThat(made.secret()).matches("pk_[a-z0-9]{12}_[A-Za-z0-9_-]{43}");
      assertThat(made.toString()).doesNotContain(made.secret().substring(16));
    }

    @Test
    void who_shows_none_is_a_stranger() {
      assertThat(apiKeyAuthenticator.authenticate(authorization()))
          .isEqualTo(Caller.UNAUTHENTICATED);
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
    void who_shows_anything_else_is_refused(String value) {
      HttpProblemException refused = refusal(value);

      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.headers())
          .containsEntry("WWW-Authenticate", "Bearer realm=\"perdure\", error=\"invalid_token\"");
    }

    @Test
    void every_character_of_a_key_counts() {
      for (int i = 0; i < admin.length(); i++) {
        char other = admin.charAt(i) == 'a' ? 'b' : 'a';
        String wrong = admin.substring(0, i) + other + admin.substring(i + 1);
        assertThat(refusal("Bearer " + wrong).status()).as(wrong).isEqualTo(401);
      }
      assertThat(refusal("Bearer " + admin + "A").status()).isEqualTo(401);
      assertThat(caller(admin).name()).isEqualTo("ops");
    }

    @Test
    void two_at_once_are_refused() {
      assertThat(refusal("Bearer " + admin, "Bearer " + admin).status()).isEqualTo(401);
    }

    @Test
    void the_scheme_may_be_in_any_case() {
      assertThat(apiKeyAuthenticator.authenticate(authorization("bearer  " + admin)).name())
          .isEqualTo("ops");
    }

    @Test
    void one_that_was_revoked_elsewhere_is_refused_in_a_while() {
      assertThat(caller(admin).name()).isEqualTo("ops");
      book.revoke(book.list(1).getFirst().id());

      pass(ApiKeyAuthenticator.CACHE_TTL.minusMillis(1));
      assertThat(caller(admin).name()).isEqualTo("ops");
      pass(Duration.ofMillis(1));
      assertThat(refusal("Bearer " + admin).detail()).isEqualTo("the API key was revoked");
      assertThat(ApiKeyAuthenticator.CACHE_TTL).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void one_that_was_revoked_here_is_refused_at_once() {
      caller(admin);
      book.revoke(book.list(1).getFirst().id());
      apiKeyAuthenticator.invalidate();

      assertThat(refusal("Bearer " + admin).status()).isEqualTo(401);
    }

    @Test
    void one_that_is_revoked_while_it_is_looked_up_is_not_remembered() {
      ApiKeyStore revoking =
          new ConcurrentlyChangedKeys(
              book,
              () -> {
                book.revoke(book.list(1).getFirst().id());
                apiKeyAuthenticator.invalidate();
              });
      apiKeyAuthenticator = new ApiKeyAuthenticator(revoking, () -> Duration.between(BEGIN, now));
      caller(admin);

      assertThat(refusal("Bearer " + admin).detail()).isEqualTo("the API key was revoked");
    }

    @Test
    void when_the_last_is_revoked_nobody_comes_in() {
      book.revoke(book.list(1).getFirst().id());
      apiKeyAuthenticator.invalidate();

      assertThat(apiKeyAuthenticator.authenticate(authorization()))
          .isEqualTo(Caller.UNAUTHENTICATED);
    }

    @Test
    void one_that_has_expired_is_refused() {
      String brief = apiKeys.create("brief", List.of("read"), Duration.ofMinutes(1)).secret();
      assertThat(caller(brief).name()).isEqualTo("brief");

      pass(Duration.ofMinutes(1));

      assertThat(refusal("Bearer " + brief).detail()).isEqualTo("the API key has expired");
    }

    @Test
    void its_use_is_noted_once_a_minute() {
      caller(admin);
      assertThat(book.list(1).getFirst().usedAt()).isEqualTo(BEGIN);
      pass(Duration.ofSeconds(30));
      caller(admin);
      assertThat(book.list(1).getFirst().usedAt()).isEqualTo(BEGIN);
      pass(Duration.ofSeconds(31));
      caller(admin);
      assertThat(book.list(1).getFirst().usedAt()).isEqualTo(now);
    }
  }

  @Nested
  class Making {

    @Test
    void tells_everything_that_is_wrong() {
      assertThatThrownBy(() -> apiKeys.create(" ", List.of("admn", "reed"), Duration.ofMillis(1)))
          .isInstanceOf(InvalidPolicyException.class)
          .hasMessageContaining("name: must be 1 to 255 printable characters")
          .hasMessageContaining("unknown role 'admn'; did you mean 'admin'?")
          .hasMessageContaining("unknown role 'reed'")
          .hasMessageContaining("expires_after: must be 1s to 3650d");
      assertThatThrownBy(() -> apiKeys.create("x", List.of(), null))
          .hasMessageContaining("roles: must be one or more of read, submit, work, admin");
      assertThatThrownBy(() -> apiKeys.create("a\nb", List.of("admin"), null))
          .hasMessageContaining("name: must be");
    }

    @Test
    void keeps_only_a_hash() {
      IssuedApiKey made = apiKeys.create("ops", List.of("admin"), null);

      ApiKeyStore.ApiKey kept = book.find(made.key().id()).orElseThrow();
      assertThat(kept.hash()).matches("[0-9a-f]{64}");
      assertThat(kept.toString()).doesNotContain(made.secret().substring(16));
    }
  }
}
