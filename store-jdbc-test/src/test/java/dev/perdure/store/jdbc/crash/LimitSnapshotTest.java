// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LimitSnapshotTest {

  @Test
  void accepts_places_that_are_held_or_whose_event_is_not_applied_yet() {
    assertThat(violations(3, 1, 2)).isEmpty();
  }

  @Test
  void finds_a_place_that_nobody_holds() {
    assertThat(violations(3, 1, 1))
        .containsExactly("k has 3 in use, 1 of them freed, but 1 tasks hold it");
  }

  @Test
  void finds_a_place_that_was_freed_too_early() {
    assertThat(violations(3, 2, 2))
        .containsExactly("k has 3 in use, 2 of them freed, but 2 tasks hold it");
  }

  @Test
  void finds_a_limit_that_is_exceeded() {
    assertThat(violations(4, 0, 4)).containsExactly("k is held by 4 tasks of 3");
  }

  @Test
  void finds_a_held_limit_without_a_row() {
    LimitSnapshot snapshot =
        new LimitSnapshot(Map.of(), Map.of(), Map.of("k", 1L), Map.of(), Map.of());
    assertThat(snapshot.violations()).singleElement().asString().contains("0 in use");
  }

  @Test
  void shows_what_is_in_use() {
    assertThat(snapshot(3, 1, 2).inUse()).containsExactly(Map.entry("k", 2L));
    assertThat(snapshot(3, 3, 0).inUse()).isEmpty();
  }

  private static List<String> violations(long used, long freed, long held) {
    return snapshot(used, freed, held).violations();
  }

  private static LimitSnapshot snapshot(long used, long freed, long held) {
    return new LimitSnapshot(
        Map.of("k", used), Map.of("k", freed), Map.of("k", held), Map.of("k", 3L), Map.of());
  }
}
