// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.LimitType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of limits. */
class LimitKeysTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"sync", "send email", "a:b", "a[b]=c,d", "say \"hi\"", "back\\slash", "é😀"})
  void a_key_tells_its_type_and_kind(String kind) {
    String key = LimitKeys.of(LimitType.RATE, kind, List.of("tenant"), "{\"tenant\": \"]\\\"[\"}");

    assertThat(LimitKeys.type(key)).isEqualTo(LimitType.RATE);
    assertThat(LimitKeys.kind(key)).isEqualTo(kind);
    assertThat(key).startsWith(LimitKeys.prefix(LimitType.RATE, kind));
  }

  @Test
  void keys_of_other_kinds_have_another_prefix() {
    String key = LimitKeys.of(LimitType.CONCURRENCY, "sync", List.of(), null);

    assertThat(key)
        .isEqualTo("concurrency:sync[]")
        .doesNotStartWith(LimitKeys.prefix(LimitType.CONCURRENCY, "sy"))
        .doesNotStartWith(LimitKeys.prefix(LimitType.RATE, "sync"));
  }

  @Test
  void a_long_key_is_cut_but_tells_its_kind() {
    String kind = "k".repeat(100);
    String key =
        LimitKeys.of(
            LimitType.CAPACITY, kind, List.of("f"), "{\"f\": \"%s\"}".formatted("v".repeat(99)));

    assertThat(key).hasSizeLessThanOrEqualTo(200).contains("#");
    assertThat(LimitKeys.kind(key)).isEqualTo(kind);
  }

  @Test
  void a_kind_that_fills_a_long_key_is_cut() {
    String kind = "\"".repeat(100);
    String key = LimitKeys.of(LimitType.CAPACITY, kind, List.of(), null);

    assertThat(LimitKeys.kind(key)).isNotEmpty();
    assertThat(key).startsWith(LimitKeys.prefix(LimitType.CAPACITY, kind));
  }
}
