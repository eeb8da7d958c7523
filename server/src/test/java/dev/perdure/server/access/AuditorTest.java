// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.StoreException;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Deed;
import dev.perdure.store.jdbc.access.AuditTrail;
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

class AuditorTest {

  /** A trail that can be away. */
  private static final class Trail implements AuditTrail {

    private final List<String> written = new ArrayList<>();
    private final Map<UUID, Duration> ages = new LinkedHashMap<>();
    private boolean away;
    private boolean silent;
    private String unwritable = "";
    private Runnable meanwhile = () -> {};

    @Override
    public void append(UUID id, AuditTrail.Deed deed, Duration age, int kept) {
      meanwhile.run();
      if (away) {
        throw new StoreException("away", null, StoreException.Sort.UNAVAILABLE);
      }
      if (deed.action().equals(unwritable)) {
        throw new IllegalStateException("what is this?");
      }
      if (ages.put(id, age) == null) {
        written.add(deed.action());
      }
      if (silent) {
        throw new StoreException("lost", null, StoreException.Sort.UNKNOWN);
      }
    }

    @Override
    public List<Entry> list(long before, @Nullable String subject, int limit) {
      return List.of();
    }
  }

  private final Trail trail = new Trail();
  private Duration now = Duration.ZERO;
  private final Auditor auditor = new Auditor(trail, 10, () -> now, new SplittableRandom(1));

  private void record(String action) {
    auditor.record(Caller.ANYONE, Deed.of(action, "x"));
  }

  @Test
  void what_is_done_is_written_before_the_answer() {
    record("cancel");

    assertThat(trail.written).containsExactly("cancel");
  }

  @Test
  void what_cannot_be_written_is_written_with_the_next() {
    trail.away = true;
    record("one");
    record("two");
    assertThat(trail.written).isEmpty();

    trail.away = false;
    record("three");

    assertThat(trail.written).containsExactly("one", "two", "three");
  }

  @Test
  void what_is_written_later_tells_when_it_was_done() {
    trail.away = true;
    record("one");
    trail.away = false;
    now = Duration.ofSeconds(90);

    auditor.write();

    assertThat(trail.written).containsExactly("one");
    assertThat(trail.ages.values()).containsExactly(Duration.ofSeconds(90));
  }

  @Test
  void what_was_written_though_the_answer_was_lost_is_not_written_twice() {
    trail.silent = true;
    record("one");
    trail.silent = false;

    record("two");

    assertThat(trail.written).containsExactly("one", "two");
  }

  @Test
  void what_nobody_can_write_does_not_keep_the_others_back() {
    trail.away = true;
    record("one");
    record("two");
    record("three");
    trail.away = false;
    trail.unwritable = "two";

    auditor.write();

    assertThat(trail.written).containsExactly("one", "three");
  }

  @Test
  void what_is_put_back_stays_before_what_came_meanwhile() {
    trail.away = true;
    trail.meanwhile =
        () -> {
          trail.meanwhile = () -> {};
          record("two");
        };
    record("one");
    trail.away = false;

    auditor.write();

    assertThat(trail.written).containsExactly("one", "two");
  }

  @Test
  void what_cannot_be_written_is_written_at_the_end() {
    trail.away = true;
    record("one");
    trail.away = false;

    auditor.close();

    assertThat(trail.written).containsExactly("one");
  }

  /** One of them may write what another one did, who must not be answered before that. */
  @Test
  void whoever_writes_it_it_is_written_before_the_answer() throws Exception {
    Set<String> written = ConcurrentHashMap.newKeySet();
    AuditTrail slow =
        new AuditTrail() {
          @Override
          public void append(UUID id, AuditTrail.Deed deed, Duration age, int kept) {
            LockSupport.parkNanos(1_000);
            written.add(deed.action());
          }

          @Override
          public List<Entry> list(long before, @Nullable String subject, int limit) {
            return List.of();
          }
        };
    Auditor shared = new Auditor(slow, 10, () -> now, new Random(1));
    Queue<String> missing = new ConcurrentLinkedQueue<>();
    try (ExecutorService operators = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 8; i++) {
        String name = "operator " + i;
        Future<?> unused =
            operators.submit(
                () -> {
                  for (int n = 0; n < 500; n++) {
                    String action = name + " " + n;
                    shared.record(Caller.ANYONE, Deed.of(action, "x"));
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
    trail.away = true;
    for (int i = 0; i < 1_005; i++) {
      record("deed " + i);
    }
    trail.away = false;
    record("last");

    assertThat(trail.written).hasSize(1_000).startsWith("deed 6").endsWith("deed 1004", "last");
  }
}
