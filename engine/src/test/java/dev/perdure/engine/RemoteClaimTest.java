// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RemoteClaimTest {

  private static final Duration LEASE = Duration.ofSeconds(60);

  private static RemoteClaim claim(String worker, String kind, int limit, Duration lease) {
    return new RemoteClaim(worker, List.of(kind), limit, lease, Duration.ZERO);
  }

  @Test
  void kinds_are_sorted_and_duplicates_removed() {
    assertThat(new RemoteClaim("a", List.of("y", "x", "y"), 1, LEASE, Duration.ZERO).kinds())
        .containsExactly("x", "y");
  }

  /** A node would treat tasks leased under its id as its own. */
  @Test
  void a_worker_name_that_is_a_uuid_is_refused() {
    assertThatThrownBy(() -> claim(UUID.randomUUID().toString(), "x", 1, LEASE))
        .hasMessage("worker: must be a name, not an id");
  }

  @Test
  void every_component_out_of_range_is_refused() {
    assertThatThrownBy(() -> claim(" ", "x", 1, LEASE)).hasMessageStartingWith("worker: ");
    assertThatThrownBy(() -> claim("a\nb", "x", 1, LEASE)).hasMessageStartingWith("worker: ");
    assertThatThrownBy(() -> claim("a".repeat(256), "x", 1, LEASE))
        .hasMessageStartingWith("worker: ");
    assertThatThrownBy(() -> claim("a", "perdure:webhook", 1, LEASE))
        .hasMessageStartingWith("kinds: ");
    assertThatThrownBy(() -> claim("a", "x", 0, LEASE)).hasMessageStartingWith("limit: ");
    assertThatThrownBy(() -> claim("a", "x", 1_001, LEASE)).hasMessageStartingWith("limit: ");
    assertThatThrownBy(() -> claim("a", "x", 1, Duration.ofMillis(999)))
        .hasMessageStartingWith("lease: ");
    assertThatThrownBy(() -> claim("a", "x", 1, Duration.ofDays(1).plusMillis(1)))
        .hasMessageStartingWith("lease: ");
    assertThatThrownBy(() -> new RemoteClaim("a", List.of("x"), 1, LEASE, Duration.ofSeconds(61)))
        .hasMessage("wait: must be 0s to 1m, not 61s");
  }
}
