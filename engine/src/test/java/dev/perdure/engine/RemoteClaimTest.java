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
  void the_same_kinds_are_the_same_however_they_are_said() {
    assertThat(new RemoteClaim("a", List.of("y", "x", "y"), 1, LEASE, Duration.ZERO).kinds())
        .containsExactly("x", "y");
  }

  /** A node would take what is held under its id for its own. */
  @Test
  void a_worker_cannot_call_itself_like_a_node() {
    assertThatThrownBy(() -> claim(UUID.randomUUID().toString(), "x", 1, LEASE))
        .hasMessage("worker: must be a name, not an id");
  }

  @Test
  void everything_has_its_limits() {
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
        .hasMessageStartingWith("wait: ");
  }
}
