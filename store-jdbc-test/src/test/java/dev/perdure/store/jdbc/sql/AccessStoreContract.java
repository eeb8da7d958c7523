// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.StoreException;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.access.AccessStore;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import dev.perdure.store.jdbc.access.ApiKeyStore.NewApiKey;
import dev.perdure.store.jdbc.access.AuditStore.NewAuditEntry;
import dev.perdure.store.jdbc.access.AuditStore.StoredAuditEntry;
import dev.perdure.store.jdbc.access.ChannelStore.ChannelUsage;
import dev.perdure.store.jdbc.access.SecretStore.Secret;
import dev.perdure.store.jdbc.access.SessionStore.NewSession;
import dev.perdure.store.jdbc.access.SessionStore.Session;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link AccessStore} for every database: API keys, sessions, audit entries and
 * secrets; and of the use of channels.
 */
public abstract class AccessStoreContract {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final String HASH = "0123456789abcdef".repeat(4);

  private Instant now = START;
  private JdbcStore store;
  private AccessStore accessStore;

  /** Opens the store. Every call returns a store on the same database. */
  protected abstract JdbcStore open(InstantSource clock);

  @BeforeEach
  void open() {
    store = open(() -> now);
    accessStore = store.access();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static NewApiKey key(String id, @Nullable Duration validity) {
    return new NewApiKey(id, "name of " + id, List.of("submit", "read"), HASH, validity);
  }

  @Test
  void a_key_is_found_as_it_was_added() {
    assertThat(accessStore.apiKeys().exists()).isFalse();
    assertThat(accessStore.apiKeys().find("a")).isEmpty();

    accessStore.apiKeys().add(key("a", null));

    assertThat(accessStore.apiKeys().exists()).isTrue();
    assertThat(accessStore.apiKeys().find("a"))
        .contains(
            new ApiKeyStore.ApiKey(
                "a",
                "name of a",
                List.of("submit", "read"),
                HASH,
                START,
                null,
                null,
                null,
                true,
                false));
    assertThat(accessStore.apiKeys().find("A")).isEmpty();
  }

  @Test
  void adding_a_key_again_changes_nothing() {
    accessStore.apiKeys().add(key("a", null));
    accessStore.apiKeys().revoke("a");

    accessStore.apiKeys().add(key("a", Duration.ofDays(1)));

    assertThat(accessStore.apiKeys().find("a").orElseThrow().active()).isFalse();
    assertThat(accessStore.apiKeys().find("a").orElseThrow().expiresAt()).isNull();
  }

  @Test
  void a_key_with_a_short_hash_is_refused() {
    NewApiKey shortHash = new NewApiKey("a", "a", List.of("read"), "abc", null);

    assertThatThrownBy(() -> accessStore.apiKeys().add(shortHash))
        .isInstanceOf(StoreException.class);
    assertThat(accessStore.apiKeys().exists()).isFalse();
  }

  @Test
  void a_key_expires_at_its_instant() {
    accessStore.apiKeys().add(key("a", Duration.ofMinutes(5)));

    now = START.plus(Duration.ofMinutes(5)).minusMillis(1);
    assertThat(accessStore.apiKeys().find("a").orElseThrow().active()).isTrue();
    now = START.plus(Duration.ofMinutes(5));
    assertThat(accessStore.apiKeys().find("a").orElseThrow().active()).isFalse();
  }

  @Test
  void revoking_again_keeps_the_first_instant() {
    accessStore.apiKeys().add(key("a", null));
    now = START.plusSeconds(1);
    assertThat(accessStore.apiKeys().revoke("a")).isTrue();
    now = START.plusSeconds(2);
    assertThat(accessStore.apiKeys().revoke("a")).isTrue();

    ApiKeyStore.ApiKey revoked = accessStore.apiKeys().find("a").orElseThrow();
    assertThat(revoked.active()).isFalse();
    assertThat(revoked.revokedAt()).isEqualTo(START.plusSeconds(1));
    assertThat(accessStore.apiKeys().exists()).isTrue();
    assertThat(accessStore.apiKeys().revoke("b")).isFalse();
  }

  @Test
  void a_key_counts_as_recently_used_for_a_minute() {
    accessStore.apiKeys().add(key("a", null));
    accessStore.apiKeys().recordUse("a");

    assertThat(accessStore.apiKeys().find("a").orElseThrow().usedAt()).isEqualTo(START);
    now = START.plusSeconds(59);
    assertThat(accessStore.apiKeys().find("a").orElseThrow().recentlyUsed()).isTrue();
    now = START.plusSeconds(60);
    assertThat(accessStore.apiKeys().find("a").orElseThrow().recentlyUsed()).isFalse();
  }

  @Test
  void keys_are_listed_newest_first_up_to_the_limit() {
    for (String id : List.of("a", "b", "c")) {
      accessStore.apiKeys().add(key(id, null));
      now = now.plusSeconds(1);
    }
    accessStore.apiKeys().revoke("c");

    assertThat(accessStore.apiKeys().list(10))
        .extracting(ApiKeyStore.ApiKey::id)
        .containsExactly("c", "b", "a");
    assertThat(accessStore.apiKeys().list(2))
        .extracting(ApiKeyStore.ApiKey::active)
        .containsExactly(false, true);
  }

  private void addSession(char hash, String keyId, int maxPerKey) {
    NewSession session =
        new NewSession(hashOf(hash), keyId, Duration.ofHours(12), Duration.ofDays(7));
    accessStore.sessions().add(session, maxPerKey);
  }

  private static String hashOf(char digit) {
    return String.valueOf(digit).repeat(64);
  }

  private Optional<Session> session(char hash) {
    return accessStore.sessions().find(hashOf(hash));
  }

  @Test
  void a_session_is_found_with_its_key_until_it_is_deleted() {
    accessStore.apiKeys().add(key("k", null));
    addSession('a', "k", 9);

    assertThat(session('a'))
        .contains(
            new Session(
                "k", "name of k", List.of("submit", "read"), START.plusSeconds(12 * 3_600), true));
    assertThat(session('b')).isEmpty();
    addSession('b', "unknown", 9);
    assertThat(session('b')).isEmpty();
    accessStore.sessions().delete(hashOf('a'));
    accessStore.sessions().delete(hashOf('a'));
    assertThat(session('a')).isEmpty();
  }

  @Test
  void a_session_ends_some_time_after_its_last_use_and_at_the_latest_after_its_lifetime() {
    accessStore.apiKeys().add(key("k", null));
    addSession('a', "k", 9);
    now = START.plusSeconds(59);
    assertThat(session('a').orElseThrow().recentlyUsed()).isTrue();
    now = START.plusSeconds(60);
    assertThat(session('a').orElseThrow().recentlyUsed()).isFalse();

    for (int hours = 11; hours < 7 * 24; hours += 11) {
      now = START.plus(Duration.ofHours(hours));
      accessStore.sessions().recordUse(hashOf('a'), Duration.ofHours(12));
    }
    assertThat(session('a').orElseThrow().expiresAt()).isEqualTo(START.plus(Duration.ofDays(7)));
    now = START.plus(Duration.ofDays(7));
    assertThat(session('a')).isEmpty();

    addSession('b', "k", 9);
    now = now.plus(Duration.ofHours(12)).minusMillis(1);
    assertThat(session('b')).isPresent();
    now = now.plusMillis(1);
    accessStore.sessions().recordUse(hashOf('b'), Duration.ofHours(12));
    assertThat(session('b')).isEmpty();
  }

  @Test
  void a_session_ends_with_its_key() {
    accessStore.apiKeys().add(key("k", null));
    accessStore.apiKeys().add(key("short", Duration.ofHours(1)));
    addSession('a', "k", 9);
    addSession('b', "short", 9);

    assertThat(session('b').orElseThrow().expiresAt()).isEqualTo(START.plus(Duration.ofHours(1)));
    accessStore.apiKeys().revoke("k");
    assertThat(session('a')).isEmpty();
    now = START.plus(Duration.ofHours(1));
    assertThat(session('b')).isEmpty();
  }

  @Test
  void a_new_session_replaces_the_one_of_its_key_that_was_unused_for_the_longest_time() {
    accessStore.apiKeys().add(key("k", null));
    accessStore.apiKeys().add(key("other", null));
    addSession('0', "other", 2);
    for (char hash : "abc".toCharArray()) {
      now = now.plusSeconds(1);
      addSession(hash, "k", 2);
      now = now.plusSeconds(1);
      accessStore.sessions().recordUse(hashOf('a'), Duration.ofHours(12));
    }

    assertThat(session('a')).isPresent();
    assertThat(session('b')).isEmpty();
    assertThat(session('c')).isPresent();
    assertThat(session('0')).isPresent();
  }

  private static NewAuditEntry entry(String action, @Nullable String subject) {
    return new NewAuditEntry("ops", "k1", action, subject, "{\"n\":1}");
  }

  private void append(NewAuditEntry entry, int maxEntries) {
    accessStore.audit().append(UUID.randomUUID(), entry, Duration.ZERO, maxEntries);
  }

  @Test
  void appending_an_entry_again_keeps_one_with_the_first_instant() {
    UUID id = new UUID(1, 2);
    accessStore.audit().append(id, entry("cancel", null), Duration.ofMillis(1_500), 100);
    now = now.plusSeconds(9);
    accessStore.audit().append(id, entry("cancel", null), Duration.ofMillis(10_500), 100);

    assertThat(accessStore.audit().list(Long.MAX_VALUE, null, 10))
        .extracting(StoredAuditEntry::occurredAt)
        .containsExactly(START.minusMillis(1_500));
  }

  @Test
  void audit_entries_are_listed_newest_first_page_by_page() {
    for (int i = 0; i < 5; i++) {
      append(entry("cancel" + i, i % 2 == 0 ? "even" : null), 100);
      now = now.plusSeconds(1);
    }

    List<StoredAuditEntry> first = accessStore.audit().list(Long.MAX_VALUE, null, 3);
    assertThat(first)
        .extracting(stored -> stored.entry().action())
        .containsExactly("cancel4", "cancel3", "cancel2");
    assertThat(first.getFirst().occurredAt()).isEqualTo(START.plusSeconds(4));
    assertThat(first.getFirst().entry()).isEqualTo(entry("cancel4", "even"));
    assertThat(accessStore.audit().list(first.getLast().number(), null, 3))
        .extracting(stored -> stored.entry().action())
        .containsExactly("cancel1", "cancel0");
    assertThat(accessStore.audit().list(Long.MAX_VALUE, "even", 10))
        .extracting(stored -> stored.entry().action())
        .containsExactly("cancel4", "cancel2", "cancel0");
  }

  @Test
  void the_oldest_audit_entries_are_deleted() {
    for (int i = 0; i < 7; i++) {
      append(entry("cancel" + i, null), 3);
    }

    assertThat(accessStore.audit().list(Long.MAX_VALUE, null, 100))
        .extracting(stored -> stored.entry().action())
        .containsExactly("cancel6", "cancel5", "cancel4");
  }

  @Test
  void the_newest_secret_comes_first() {
    accessStore.secrets().add("handle", new Secret(1, "old"));
    accessStore.secrets().add("handle", new Secret(2, "new"));
    accessStore.secrets().add("other", new Secret(3, "not ours"));

    assertThat(accessStore.secrets().list("handle", 10))
        .containsExactly(new Secret(2, "new"), new Secret(1, "old"));
    assertThat(accessStore.secrets().list("handle", 1)).containsExactly(new Secret(2, "new"));
    assertThat(new Secret(1, "old").toString()).doesNotContain("old");
  }

  @Test
  void one_of_many_concurrent_first_secrets_wins() throws Exception {
    List<Future<List<Secret>>> seen = new ArrayList<>();
    try (ExecutorService nodes = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 8; i++) {
        String mine = "secret of " + i;
        seen.add(
            nodes.submit(
                () -> {
                  accessStore.secrets().add("handle", new Secret(1, mine));
                  return accessStore.secrets().list("handle", 10);
                }));
      }
    }
    for (Future<List<Secret>> found : seen) {
      assertThat(found.get()).hasSize(1).isEqualTo(seen.getFirst().get());
    }
  }

  @Test
  void the_use_of_a_channel_is_written_only_over_the_version_that_was_read() {
    assertThat(store.channels().find("ops")).isEqualTo(new ChannelUsage(0, null, START));

    assertThat(store.channels().write("ops", 0, "one")).isTrue();
    assertThat(store.channels().write("ops", 0, "late")).isFalse();
    now = START.plusSeconds(1);
    assertThat(store.channels().find("ops")).isEqualTo(new ChannelUsage(1, "one", now));
    assertThat(store.channels().write("ops", 1, "two")).isTrue();
    assertThat(store.channels().write("ops", 1, "late")).isFalse();
    assertThat(store.channels().find("ops")).isEqualTo(new ChannelUsage(2, "two", now));
    assertThat(store.channels().find("OPS").version()).isZero();
  }

  @Test
  void no_write_of_many_nodes_to_a_channel_is_lost() throws Exception {
    List<Future<?>> nodes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        nodes.add(threads.submit(() -> count("ops", 10)));
      }
    }
    for (Future<?> node : nodes) {
      node.get();
    }
    assertThat(store.channels().find("ops").usage()).isEqualTo("40");
  }

  private void count(String channel, int times) {
    int written = 0;
    while (written < times) {
      ChannelUsage read = store.channels().find(channel);
      int next = read.usage() == null ? 1 : Integer.parseInt(read.usage()) + 1;
      written += store.channels().write(channel, read.version(), "" + next) ? 1 : 0;
    }
  }

  @Test
  void everything_survives_a_restart() {
    store.channels().write("ops", 0, "one");
    accessStore.apiKeys().add(key("a", null));
    append(entry("cancel", null), 100);
    accessStore.secrets().add("handle", new Secret(1, "x"));
    store.close();

    open();

    assertThat(accessStore.apiKeys().find("a")).isPresent();
    assertThat(accessStore.audit().list(Long.MAX_VALUE, null, 10)).hasSize(1);
    assertThat(accessStore.secrets().list("handle", 10)).hasSize(1);
    assertThat(store.channels().find("ops").usage()).isEqualTo("one");
  }
}
