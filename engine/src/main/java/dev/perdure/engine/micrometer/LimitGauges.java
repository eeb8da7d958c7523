// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.StoreException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges of limits, by kind, type and scope: {@code perdure_limit_used}, {@code perdure_limit_max}
 * and {@code perdure_limit_waiting}. The scope is {@code kind} for limits that were set for the
 * kind, and {@code task} for the rules of tasks. Each is the sum over the limits of a kind. The
 * first two leave out rates, which count starts and not what runs. Reading takes a moment, so it
 * happens in {@link #refresh()} and not when a gauge is read. After a refresh that failed there are
 * no values.
 */
@SuppressWarnings("exports") // Callers have Micrometer.
public final class LimitGauges {

  /** At most this many limits are read, the first in the order of their keys. */
  static final int MAX_LIMITS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(LimitGauges.class);

  private final LimitReader reader;
  private final BoundedLabels kinds = new BoundedLabels();
  private final MultiGauge used;
  private final MultiGauge max;
  private final MultiGauge waiting;

  private LimitGauges(LimitReader reader, MeterRegistry registry) {
    this.reader = reader;
    this.used =
        MultiGauge.builder("perdure.limit.used")
            .description("What tasks use of the limits of their kind: tasks, or items for capacity")
            .register(registry);
    this.max =
        MultiGauge.builder("perdure.limit.max")
            .description("What the limits of a kind allow together: tasks, or items for capacity")
            .register(registry);
    this.waiting =
        MultiGauge.builder("perdure.limit.waiting")
            .description("Tasks that wait for a limit, counted up to 1,000 for each limit")
            .register(registry);
  }

  /** Registers the gauges. The store is not asked before the first {@link #refresh()}. */
  public static LimitGauges bind(LimitReader reader, MeterRegistry registry) {
    return new LimitGauges(reader, registry);
  }

  /** The labels of a value. */
  private record Labels(String kind, LimitType type, String scope) {}

  /**
   * Reads the limits again. When the store fails, the gauges have no values instead of old ones.
   *
   * @return true when it read them
   */
  public boolean refresh() {
    try {
      register(reader.list("", MAX_LIMITS));
      return true;
    } catch (StoreException problem) {
      register(List.of());
      LOG.warn("the limits could not be read", problem);
      return false;
    }
  }

  private void register(List<LimitUsage> limits) {
    List<LimitUsage> running =
        limits.stream().filter(limit -> limit.rule().type() != LimitType.RATE).toList();
    used.register(rows(running, LimitUsage::used), true);
    max.register(rows(running, limit -> limit.rule().max()), true);
    waiting.register(rows(limits, LimitUsage::waiting), true);
  }

  private List<MultiGauge.Row<?>> rows(
      List<LimitUsage> limits, ToDoubleFunction<LimitUsage> value) {
    Map<Labels, Double> sums = new LinkedHashMap<>();
    for (LimitUsage limit : limits) {
      String kind = kinds.bounded(LimitKeys.kind(limit.key()));
      String scope = LimitKeys.isOfKind(limit.key()) ? "kind" : "task";
      Labels labels = new Labels(kind, limit.rule().type(), scope);
      sums.merge(labels, value.applyAsDouble(limit), Double::sum);
    }
    Stream<MultiGauge.Row<?>> rows =
        sums.entrySet().stream().map(entry -> row(entry.getKey(), entry.getValue()));
    return rows.toList();
  }

  private static MultiGauge.Row<?> row(Labels labels, double sum) {
    return MultiGauge.Row.of(
        Tags.of("kind", labels.kind(), "type", labels.type().text(), "scope", labels.scope()), sum);
  }
}
