// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.StoreException;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.Caller;
import dev.perdure.store.jdbc.access.AuditStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BufferedAuditLogTest {

  /** A store that can be unavailable, lose a response, or refuse an entry. */
  private static final class FakeAuditStore implements AuditStore {

    private final List<String> written = new ArrayList<>();
    private final Map<UUID, Duration> ages = new LinkedHashMap<>();
    private boolean unavailable;
    private boolean losesResponse;
    private String refusedAction = "";
    private Runnable duringAppend = () -> {};

    @Override
    public void append(UUID id, AuditStore.NewAuditEntry entry, Duration age, int maxEntries) {
      duringAppend.run();
      if (unavailable) {
        throw new StoreException("unavailable", null, StoreException.ErrorKind.UNAVAILABLE);
      }
      if (entry.action().equals(refusedAction)) {
        throw new IllegalStateException("refused");
      }
      if (ages.put(id, age) == null) {
        written.add(entry.action());
      }
      if (losesResponse) {
        throw new StoreException("lost", null, StoreException.ErrorKind.UNKNOWN);
      }
    }

    @Override
    public List<StoredAuditEntry> list(long before, @Nullable String subject, int limit) {
      return List.of();
    }
  }

  private final FakeAuditStore store = new FakeAuditStore();
  private Duration now = Duration.ZERO;
  private final BufferedAuditLog log =
      new BufferedAuditLog(store, 10, () -> now, new SplittableRandom(1));

  private void record(String action) {
    log.record(Caller.ANYONE, AuditEntry.of(action, "x"));
  }

  @Test
  void an_entry_is_written_before_record_returns() {
    record("cancel");

    assertThat(store.written).containsExactly("cancel");
  }

  @Test
  void entries_that_cannot_be_written_are_written_with_the_next_one() {
    store.unavailable = true;
    record("one");
    record("two");
    assertThat(store.written).isEmpty();

    store.unavailable = false;
    record("three");

    assertThat(store.written).containsExactly("one", "two", "three");
  }

  @Test
  void an_entry_written_later_keeps_the_time_of_its_action() {
    store.unavailable = true;
    record("one");
    store.unavailable = false;
    now = Duration.ofSeconds(90);

    log.flush();

    assertThat(store.written).containsExactly("one");
    assertThat(store.ages.values()).containsExactly(Duration.ofSeconds(90));
  }

  @Test
  void an_entry_whose_response_was_lost_is_not_written_twice() {
    store.losesResponse = true;
    record("one");
    store.losesResponse = false;

    record("two");

    assertThat(store.written).containsExactly("one", "two");
  }

  @Test
  void an_entry_that_the_store_refuses_does_not_block_the_others() {
    store.unavailable = true;
    record("one");
    record("two");
    record("three");
    store.unavailable = false;
    store.refusedAction = "two";

    log.flush();

    assertThat(store.written).containsExactly("one", "three");
  }

  @Test
  void an_entry_that_failed_is_written_before_entries_added_meanwhile() {
    store.unavailable = true;
    store.duringAppend =
        () -> {
          store.duringAppend = () -> {};
          record("two");
        };
    record("one");
    store.unavailable = false;

    log.flush();

    assertThat(store.written).containsExactly("one", "two");
  }

  @Test
  void pending_entries_are_written_on_close() {
    store.unavailable = true;
    record("one");
    store.unavailable = false;

    log.close();

    assertThat(store.written).containsExactly("one");
  }

  /** One thread may write the entry of another, which must wait for it. */
  @Test
  void concurrent_entries_are_written_before_record_returns() throws Exception {
    Set<String> written = ConcurrentHashMap.newKeySet();
    AuditStore slow =
        new AuditStore() {
          @Override
          public void append(
              UUID id, AuditStore.NewAuditEntry entry, Duration age, int maxEntries) {
            LockSupport.parkNanos(1_000);
            written.add(entry.action());
          }

          @Override
          public List<StoredAuditEntry> list(long before, @Nullable String subject, int limit) {
            return List.of();
          }
        };
    BufferedAuditLog shared = new BufferedAuditLog(slow, 10, () -> now, new Random(1));
    Queue<String> missing = new ConcurrentLinkedQueue<>();
    try (ExecutorService operators = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 8; i++) {
        String name = "operator " + i;
        Future<?> unused =
            operators.submit(
                () -> {
                  for (int n = 0; n < 500; n++) {
                    String action = name + " " + n;
                    shared.record(Caller.ANYONE, AuditEntry.of(action, "x"));
                    if (!written.contains(action)) {
                      missing.add(action);
                    }
                  }
                });
      }
    }

    assertThat(written).hasSize(4_000);
    assertThat(missing).isEmpty();
  }

  @Test
  void at_most_1000_entries_are_pending() {
    store.unavailable = true;
    for (int i = 0; i < 1_005; i++) {
      record("action " + i);
    }
    store.unavailable = false;
    record("last");

    assertThat(store.written).hasSize(1_000).startsWith("action 6").endsWith("action 1004", "last");
  }
}
