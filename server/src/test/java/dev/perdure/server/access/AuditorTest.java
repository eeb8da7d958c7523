// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.StoreException;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Deed;
import dev.perdure.store.jdbc.access.AuditTrail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AuditorTest {

  /** A trail that can be away. */
  private static final class Trail implements AuditTrail {

    private final List<String> written = new ArrayList<>();
    private boolean away;

    @Override
    public void append(AuditTrail.Deed deed, int kept) {
      if (away) {
        throw new StoreException("away", null, StoreException.Sort.UNAVAILABLE);
      }
      written.add(deed.action());
    }

    @Override
    public List<Entry> list(long before, @Nullable String subject, int limit) {
      return List.of();
    }
  }

  private final Trail trail = new Trail();
  private final Auditor auditor = new Auditor(trail, 10);

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
  void what_cannot_be_written_is_written_at_the_end() {
    trail.away = true;
    record("one");
    trail.away = false;

    auditor.close();

    assertThat(trail.written).containsExactly("one");
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
