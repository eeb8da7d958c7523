// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.StoreException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LimitGaugesTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final FixedLimitReader store = new FixedLimitReader();
  private final LimitGauges gauges = LimitGauges.bind(store, registry);

  @Test
  void values_are_sums_over_the_limits_of_a_kind_and_type() {
    store.add("capacity:sync[]", LimitRule.capacity(100), 30, 0);
    store.add("concurrency:sync[tenant=\"a\"]", LimitRule.concurrency(2), 2, 5);
    store.add("concurrency:sync[tenant=\"b\"]", LimitRule.concurrency(3), 1, 0);
    store.add("concurrency:other[]", LimitRule.concurrency(7), 4, 2);
    gauges.refresh();

    assertThat(value("used", "sync", "concurrency")).isEqualTo(3);
    assertThat(value("max", "sync", "concurrency")).isEqualTo(5);
    assertThat(value("waiting", "sync", "concurrency")).isEqualTo(5);
    assertThat(value("used", "sync", "capacity")).isEqualTo(30);
    assertThat(value("max", "other", "concurrency")).isEqualTo(7);
  }

  @Test
  void limits_of_a_kind_are_not_mixed_with_those_of_its_tasks() {
    store.add("concurrency:sync[]", LimitRule.concurrency(2), 1, 5);
    store.add("concurrency:kind:sync[]", LimitRule.concurrency(9), 3, 0);
    gauges.refresh();

    assertThat(registry.get("perdure.limit.used").tags("scope", "task").gauge().value())
        .isEqualTo(1);
    assertThat(registry.get("perdure.limit.used").tags("scope", "kind").gauge().value())
        .isEqualTo(3);
  }

  @Test
  void only_the_waiting_tasks_of_a_rate_are_shown() {
    store.add("rate:mail[]", LimitRule.rate(5, Duration.ofSeconds(1), 1), 1, 9);
    gauges.refresh();

    assertThat(value("waiting", "mail", "rate")).isEqualTo(9);
    assertThat(registry.find("perdure.limit.used").gauges()).isEmpty();
    assertThat(registry.find("perdure.limit.max").gauges()).isEmpty();
  }

  @Test
  void values_follow_the_store_and_vanish_with_their_limit() {
    store.add("concurrency:a[]", LimitRule.concurrency(2), 1, 0);
    gauges.refresh();
    store.limits.clear();
    store.add("concurrency:b[]", LimitRule.concurrency(2), 2, 0);
    gauges.refresh();

    assertThat(kinds("perdure.limit.used")).containsExactly("b");
    assertThat(value("used", "b", "concurrency")).isEqualTo(2);
  }

  @Test
  void there_are_no_values_while_the_store_is_unavailable() {
    assertThat(registry.getMeters()).isEmpty();
    store.add("concurrency:a[]", LimitRule.concurrency(2), 1, 0);
    assertThat(gauges.refresh()).isTrue();
    store.unavailable = true;

    assertThat(gauges.refresh()).isFalse();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void labels_and_limits_are_bounded() {
    for (int i = 0; i < 2_000; i++) {
      store.add("concurrency:kind %d[]".formatted(i), LimitRule.concurrency(1), 1, 1);
    }
    gauges.refresh();

    assertThat(kinds("perdure.limit.max")).hasSize(BoundedLabels.MAX_VALUES + 1).contains("other");
    assertThat(value("max", "other", "concurrency"))
        .isEqualTo(LimitGauges.MAX_LIMITS - BoundedLabels.MAX_VALUES);
  }

  private double value(String name, String kind, String type) {
    return registry.get("perdure.limit." + name).tags("kind", kind, "type", type).gauge().value();
  }

  private List<String> kinds(String name) {
    return registry.find(name).gauges().stream()
        .map(Gauge::getId)
        .map((Meter.Id id) -> id.getTag("kind"))
        .toList();
  }

  /** Returns fixed limits, or fails as unavailable. */
  private static final class FixedLimitReader implements LimitReader {

    private final List<LimitUsage> limits = new ArrayList<>();
    private boolean unavailable;

    void add(String key, LimitRule rule, long used, long waiting) {
      limits.add(new LimitUsage(key, rule, used, waiting, null));
    }

    @Override
    public List<LimitUsage> list(String after, int limit) {
      if (unavailable) {
        throw new StoreException("unavailable", null, StoreException.ErrorKind.UNAVAILABLE);
      }
      return limits.stream().limit(limit).toList();
    }

    @Override
    public List<KindLimit> ofKinds() {
      return List.of();
    }

    @Override
    public Optional<LimitWait> waitOf(UUID task) {
      return Optional.empty();
    }
  }
}
