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

  /** A trail that can be away. */
  private static final class FakeAuditTrail implements AuditStore {

    private final List<String> written = new ArrayList<>();
    private final Map<UUID, Duration> ages = new LinkedHashMap<>();
    private boolean away;
    private boolean silent;
    private String unwritable = "";
    private Runnable meanwhile = () -> {};

    @Override
    public void append(UUID id, AuditStore.NewAuditEntry newAuditEntry, Duration age, int kept) {
      meanwhile.run();
      if (away) {
        throw new StoreException("away", null, StoreException.ErrorKind.UNAVAILABLE);
      }
      if (newAuditEntry.action().equals(unwritable)) {
        throw new IllegalStateException("what is this?");
      }
      if (ages.put(id, age) == null) {
        written.add(newAuditEntry.action());
      }
      if (silent) {
        throw new StoreException("lost", null, StoreException.ErrorKind.UNKNOWN);
      }
    }

    @Override
    public List<StoredAuditEntry> list(long before, @Nullable String subject, int limit) {
      return List.of();
    }
  }

  private final FakeAuditTrail fakeAuditTrail = new FakeAuditTrail();
  private Duration now = Duration.ZERO;
  private final BufferedAuditLog bufferedAuditLog =
      new BufferedAuditLog(fakeAuditTrail, 10, () -> now, new SplittableRandom(1));

  private void record(String action) {
    bufferedAuditLog.record(Caller.ANYONE, AuditEntry.of(action, "x"));
  }

  @Test
  void what_is_done_is_written_before_the_answer() {
    record("cancel");

    assertThat(fakeAuditTrail.written).containsExactly("cancel");
  }

  @Test
  void what_cannot_be_written_is_written_with_the_next() {
    fakeAuditTrail.away = true;
    record("one");
    record("two");
    assertThat(fakeAuditTrail.written).isEmpty();

    fakeAuditTrail.away = false;
    record("three");

    assertThat(fakeAuditTrail.written).containsExactly("one", "two", "three");
  }

  @Test
  void what_is_written_later_tells_when_it_was_done() {
    fakeAuditTrail.away = true;
    record("one");
    fakeAuditTrail.away = false;
    now = Duration.ofSeconds(90);

    bufferedAuditLog.flush();

    assertThat(fakeAuditTrail.written).containsExactly("one");
    assertThat(fakeAuditTrail.ages.values()).containsExactly(Duration.ofSeconds(90));
  }

  @Test
  void what_was_written_though_the_answer_was_lost_is_not_written_twice() {
    fakeAuditTrail.silent = true;
    record("one");
    fakeAuditTrail.silent = false;

    record("two");

    assertThat(fakeAuditTrail.written).containsExactly("one", "two");
  }

  @Test
  void what_nobody_can_write_does_not_keep_the_others_back() {
    fakeAuditTrail.away = true;
    record("one");
    record("two");
    record("three");
    fakeAuditTrail.away = false;
    fakeAuditTrail.unwritable = "two";

    bufferedAuditLog.flush();

    assertThat(fakeAuditTrail.written).containsExactly("one", "three");
  }

  @Test
  void what_is_put_back_stays_before_what_came_meanwhile() {
    fakeAuditTrail.away = true;
    fakeAuditTrail.meanwhile =
        () -> {
          fakeAuditTrail.meanwhile = () -> {};
          record("two");
        };
    record("one");
    fakeAuditTrail.away = false;

    bufferedAuditLog.flush();

    assertThat(fakeAuditTrail.written).containsExactly("one", "two");
  }

  @Test
  void what_cannot_be_written_is_written_at_the_end() {
    fakeAuditTrail.away = true;
    record("one");
    fakeAuditTrail.away = false;

    bufferedAuditLog.close();

    assertThat(fakeAuditTrail.written).containsExactly("one");
  }

  /** One of them may write what another one did, who must not be answered before that. */
  @Test
  void whoever_writes_it_it_is_written_before_the_answer() throws Exception {
    Set<String> written = ConcurrentHashMap.newKeySet();
    AuditStore slow =
        new AuditStore() {
          @Override
          public void append(
              UUID id, AuditStore.NewAuditEntry newAuditEntry, Duration age, int kept) {
            LockSupport.parkNanos(1_000);
            written.add(newAuditEntry.action());
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
  void no_more_than_a_thousand_wait() {
    fakeAuditTrail.away = true;
    for (int i = 0; i < 1_005; i++) {
      record("deed " + i);
    }
    fakeAuditTrail.away = false;
    record("last");

    assertThat(fakeAuditTrail.written)
        .hasSize(1_000)
        .startsWith("deed 6")
        .endsWith("deed 1004", "last");
  }
}
