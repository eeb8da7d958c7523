// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.KeyBook;
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

class KeyringTest {

  private static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path folder;
  private Instant now = BEGIN;
  private JdbcStore store;
  private KeyBook book;
  private Keys keys;
  private Keyring keyring;

  @BeforeEach
  void open() {
    store =
        JdbcStore.builder().url("sqlite:" + folder.resolve("perdure.db")).clock(() -> now).open();
    book = store.access().keys();
    keys = new Keys(book, new SplittableRandom(1));
    keyring = new Keyring(book, () -> Duration.between(BEGIN, now));
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
    return keyring.of(authorization("Bearer " + key));
  }

  private RefusedException refusal(String... values) {
    return catchThrowableOfType(RefusedException.class, () -> keyring.of(authorization(values)));
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  /** Something happens behind the first look into it. */
  private static final class Meddled implements KeyBook {

    private final KeyBook inner;
    private Runnable meanwhile;

    Meddled(KeyBook inner, Runnable meanwhile) {
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
    public boolean any() {
      return inner.any() || read(false);
    }

    @Override
    public Optional<Key> find(String id) {
      return read(inner.find(id));
    }

    @Override
    public void add(NewKey key) {
      inner.add(key);
    }

    @Override
    public List<Key> list(int limit) {
      return inner.list(limit);
    }

    @Override
    public void use(String id) {
      inner.use(id);
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
      KeyBook changing =
          new Meddled(
              book,
              () -> {
                keys.create("ops", List.of("admin"), null);
                keyring.forget();
              });
      keyring = new Keyring(changing, () -> Duration.between(BEGIN, now));
      keyring.of(authorization());

      assertThat(keyring.of(authorization())).isEqualTo(Caller.STRANGER);
    }

    @Test
    void everybody_may_do_everything() {
      assertThat(keyring.of(authorization())).isEqualTo(Caller.ANYONE);
      assertThat(caller("pk_whatever")).isEqualTo(Caller.ANYONE);
    }

    @Test
    void the_first_one_is_noticed_in_a_while() {
      keyring.of(authorization());
      keys.create("ops", List.of("admin"), null);

      pass(Keyring.BELIEVED.minusMillis(1));
      assertThat(keyring.of(authorization())).isEqualTo(Caller.ANYONE);
      pass(Duration.ofMillis(1));
      assertThat(keyring.of(authorization())).isEqualTo(Caller.STRANGER);
    }

    @Test
    void the_first_one_must_be_able_to_make_another() {
      assertThatThrownBy(() -> keys.create("ci", List.of("submit", "read", "work"), null))
          .isInstanceOf(InvalidPolicyException.class)
          .hasMessageContaining("the first key must have the role admin");
      assertThat(book.any()).isFalse();
    }
  }

  @Nested
  class WithKeys {

    private String admin;

    @BeforeEach
    void create() {
      admin = keys.create("ops", List.of("admin"), null).text();
    }

    @Test
    void a_key_is_known_by_its_name_and_roles() {
      HandedOut made = keys.create("ci", List.of("submit", "read"), null);

      Caller caller = caller(made.text());
      assertThat(caller.name()).isEqualTo("ci");
      assertThat(caller.key()).isEqualTo(made.key().id());
      assertThat(caller.roles()).containsExactlyInAnyOrder(Role.SUBMIT, Role.READ);
      assertThat(made.text()).matches("pk_[a-z0-9]{12}_[A-Za-z0-9_-]{43}");
      assertThat(made.toString()).doesNotContain(made.text().substring(16));
    }

    @Test
    void who_shows_none_is_a_stranger() {
      assertThat(keyring.of(authorization())).isEqualTo(Caller.STRANGER);
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
      RefusedException refused = refusal(value);

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
      assertThat(keyring.of(authorization("bearer  " + admin)).name()).isEqualTo("ops");
    }

    @Test
    void one_that_was_revoked_elsewhere_is_refused_in_a_while() {
      assertThat(caller(admin).name()).isEqualTo("ops");
      book.revoke(book.list(1).getFirst().id());

      pass(Keyring.BELIEVED.minusMillis(1));
      assertThat(caller(admin).name()).isEqualTo("ops");
      pass(Duration.ofMillis(1));
      assertThat(refusal("Bearer " + admin).detail()).isEqualTo("the key was revoked");
      assertThat(Keyring.BELIEVED).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void one_that_was_revoked_here_is_refused_at_once() {
      caller(admin);
      book.revoke(book.list(1).getFirst().id());
      keyring.forget();

      assertThat(refusal("Bearer " + admin).status()).isEqualTo(401);
    }

    @Test
    void one_that_is_revoked_while_it_is_looked_up_is_not_remembered() {
      KeyBook revoking =
          new Meddled(
              book,
              () -> {
                book.revoke(book.list(1).getFirst().id());
                keyring.forget();
              });
      keyring = new Keyring(revoking, () -> Duration.between(BEGIN, now));
      caller(admin);

      assertThat(refusal("Bearer " + admin).detail()).isEqualTo("the key was revoked");
    }

    @Test
    void when_the_last_is_revoked_nobody_comes_in() {
      book.revoke(book.list(1).getFirst().id());
      keyring.forget();

      assertThat(keyring.of(authorization())).isEqualTo(Caller.STRANGER);
    }

    @Test
    void one_that_has_expired_is_refused() {
      String brief = keys.create("brief", List.of("read"), Duration.ofMinutes(1)).text();
      assertThat(caller(brief).name()).isEqualTo("brief");

      pass(Duration.ofMinutes(1));

      assertThat(refusal("Bearer " + brief).detail()).isEqualTo("the key has expired");
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
      assertThatThrownBy(() -> keys.create(" ", List.of("admn", "reed"), Duration.ofMillis(1)))
          .isInstanceOf(InvalidPolicyException.class)
          .hasMessageContaining("name: must be 1 to 255 printable characters")
          .hasMessageContaining("unknown role 'admn'; did you mean 'admin'?")
          .hasMessageContaining("unknown role 'reed'")
          .hasMessageContaining("expires_after: must be 1s to 3650d");
      assertThatThrownBy(() -> keys.create("x", List.of(), null))
          .hasMessageContaining("roles: must be one or more of read, submit, work, admin");
      assertThatThrownBy(() -> keys.create("a\nb", List.of("admin"), null))
          .hasMessageContaining("name: must be");
    }

    @Test
    void keeps_only_a_hash() {
      HandedOut made = keys.create("ops", List.of("admin"), null);

      KeyBook.Key kept = book.find(made.key().id()).orElseThrow();
      assertThat(kept.hash()).matches("[0-9a-f]{64}");
      assertThat(kept.toString()).doesNotContain(made.text().substring(16));
    }
  }
}
