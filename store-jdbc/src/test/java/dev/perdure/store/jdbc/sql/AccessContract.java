// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.store.StoreException;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.Access;
import dev.perdure.store.jdbc.access.AuditTrail.Deed;
import dev.perdure.store.jdbc.access.AuditTrail.Entry;
import dev.perdure.store.jdbc.access.KeyBook;
import dev.perdure.store.jdbc.access.KeyBook.NewKey;
import dev.perdure.store.jdbc.access.SecretBook.Secret;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store keeps beside the tasks, and how. */
public abstract class AccessContract {

  private static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");
  private static final String HASH = "0123456789abcdef".repeat(4);

  private Instant now = BEGIN;
  private JdbcStore store;
  private Access access;

  /** Opens the same store each time. */
  protected abstract JdbcStore open(InstantSource clock);

  @BeforeEach
  void open() {
    store = open(() -> now);
    access = store.access();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static NewKey key(String id, @Nullable Duration validity) {
    return new NewKey(id, "name of " + id, List.of("submit", "read"), HASH, validity);
  }

  @Test
  void a_key_is_found_as_it_was_added() {
    assertThat(access.keys().any()).isFalse();
    assertThat(access.keys().find("a")).isEmpty();

    access.keys().add(key("a", null));

    assertThat(access.keys().any()).isTrue();
    assertThat(access.keys().find("a"))
        .contains(
            new KeyBook.Key(
                "a",
                "name of a",
                List.of("submit", "read"),
                HASH,
                BEGIN,
                null,
                null,
                null,
                true,
                false));
    assertThat(access.keys().find("A")).isEmpty();
  }

  @Test
  void a_key_that_is_added_again_stays_as_it_is() {
    access.keys().add(key("a", null));
    access.keys().revoke("a");

    access.keys().add(key("a", Duration.ofDays(1)));

    assertThat(access.keys().find("a").orElseThrow().live()).isFalse();
    assertThat(access.keys().find("a").orElseThrow().expiresAt()).isNull();
  }

  @Test
  void a_key_without_a_whole_hash_is_refused() {
    NewKey wrong = new NewKey("a", "a", List.of("read"), "abc", null);

    assertThatThrownBy(() -> access.keys().add(wrong)).isInstanceOf(StoreException.class);
    assertThat(access.keys().any()).isFalse();
  }

  @Test
  void a_key_ends_at_its_instant() {
    access.keys().add(key("a", Duration.ofMinutes(5)));

    now = BEGIN.plus(Duration.ofMinutes(5)).minusMillis(1);
    assertThat(access.keys().find("a").orElseThrow().live()).isTrue();
    now = BEGIN.plus(Duration.ofMinutes(5));
    assertThat(access.keys().find("a").orElseThrow().live()).isFalse();
  }

  @Test
  void a_revoked_key_stays_revoked_since_the_first_time() {
    access.keys().add(key("a", null));
    now = BEGIN.plusSeconds(1);
    assertThat(access.keys().revoke("a")).isTrue();
    now = BEGIN.plusSeconds(2);
    assertThat(access.keys().revoke("a")).isTrue();

    KeyBook.Key revoked = access.keys().find("a").orElseThrow();
    assertThat(revoked.live()).isFalse();
    assertThat(revoked.revokedAt()).isEqualTo(BEGIN.plusSeconds(1));
    assertThat(access.keys().any()).isTrue();
    assertThat(access.keys().revoke("b")).isFalse();
  }

  @Test
  void a_use_is_recent_for_a_minute() {
    access.keys().add(key("a", null));
    access.keys().use("a");

    assertThat(access.keys().find("a").orElseThrow().usedAt()).isEqualTo(BEGIN);
    now = BEGIN.plusSeconds(59);
    assertThat(access.keys().find("a").orElseThrow().usedLately()).isTrue();
    now = BEGIN.plusSeconds(60);
    assertThat(access.keys().find("a").orElseThrow().usedLately()).isFalse();
  }

  @Test
  void keys_are_listed_newest_first_and_no_more_than_asked_for() {
    for (String id : List.of("a", "b", "c")) {
      access.keys().add(key(id, null));
      now = now.plusSeconds(1);
    }
    access.keys().revoke("c");

    assertThat(access.keys().list(10)).extracting(KeyBook.Key::id).containsExactly("c", "b", "a");
    assertThat(access.keys().list(2)).extracting(KeyBook.Key::live).containsExactly(false, true);
  }

  private static Deed deed(String action, @Nullable String subject) {
    return new Deed("ops", "k1", action, subject, "{\"n\":1}");
  }

  private void append(Deed deed, int kept) {
    access.audit().append(UUID.randomUUID(), deed, Duration.ZERO, kept);
  }

  @Test
  void a_deed_that_is_repeated_is_there_once_and_with_its_own_instant() {
    UUID id = new UUID(1, 2);
    access.audit().append(id, deed("cancel", null), Duration.ofMillis(1_500), 100);
    now = now.plusSeconds(9);
    access.audit().append(id, deed("cancel", null), Duration.ofMillis(10_500), 100);

    assertThat(access.audit().list(Long.MAX_VALUE, null, 10))
        .extracting(Entry::at)
        .containsExactly(BEGIN.minusMillis(1_500));
  }

  @Test
  void deeds_are_listed_newest_first_page_by_page() {
    for (int i = 0; i < 5; i++) {
      append(deed("cancel" + i, i % 2 == 0 ? "even" : null), 100);
      now = now.plusSeconds(1);
    }

    List<Entry> first = access.audit().list(Long.MAX_VALUE, null, 3);
    assertThat(first)
        .extracting(entry -> entry.deed().action())
        .containsExactly("cancel4", "cancel3", "cancel2");
    assertThat(first.getFirst().at()).isEqualTo(BEGIN.plusSeconds(4));
    assertThat(first.getFirst().deed()).isEqualTo(deed("cancel4", "even"));
    assertThat(access.audit().list(first.getLast().number(), null, 3))
        .extracting(entry -> entry.deed().action())
        .containsExactly("cancel1", "cancel0");
    assertThat(access.audit().list(Long.MAX_VALUE, "even", 10))
        .extracting(entry -> entry.deed().action())
        .containsExactly("cancel4", "cancel2", "cancel0");
  }

  @Test
  void the_oldest_deeds_are_let_go() {
    for (int i = 0; i < 7; i++) {
      append(deed("cancel" + i, null), 3);
    }

    assertThat(access.audit().list(Long.MAX_VALUE, null, 100))
        .extracting(entry -> entry.deed().action())
        .containsExactly("cancel6", "cancel5", "cancel4");
  }

  @Test
  void the_newest_secret_comes_first() {
    access.secrets().add("handle", new Secret(1, "old"));
    access.secrets().add("handle", new Secret(2, "new"));
    access.secrets().add("other", new Secret(3, "not ours"));

    assertThat(access.secrets().list("handle", 10))
        .containsExactly(new Secret(2, "new"), new Secret(1, "old"));
    assertThat(access.secrets().list("handle", 1)).containsExactly(new Secret(2, "new"));
    assertThat(new Secret(1, "old").toString()).doesNotContain("old");
  }

  @Test
  void of_many_who_bring_the_first_secret_one_wins() throws Exception {
    List<Future<List<Secret>>> seen = new ArrayList<>();
    try (ExecutorService nodes = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 8; i++) {
        String mine = "secret of " + i;
        seen.add(
            nodes.submit(
                () -> {
                  access.secrets().add("handle", new Secret(1, mine));
                  return access.secrets().list("handle", 10);
                }));
      }
    }
    for (Future<List<Secret>> one : seen) {
      assertThat(one.get()).hasSize(1).isEqualTo(seen.getFirst().get());
    }
  }

  @Test
  void everything_is_there_after_a_restart() {
    access.keys().add(key("a", null));
    append(deed("cancel", null), 100);
    access.secrets().add("handle", new Secret(1, "x"));
    store.close();

    open();

    assertThat(access.keys().find("a")).isPresent();
    assertThat(access.audit().list(Long.MAX_VALUE, null, 10)).hasSize(1);
    assertThat(access.secrets().list("handle", 10)).hasSize(1);
  }
}
