// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.NamingConvention;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the name of {@code tasks.created} whole. OpenMetrics reserves the ending {@code _created},
 * so a Prometheus registry takes it off and would show {@code tasks_total}. Every other name is
 * left to the convention that the registry had.
 */
final class CreatedCounterNaming implements NamingConvention {

  static final String NAME = "tasks.created";
  private static final String ENDING = "created";

  private final NamingConvention usual;

  private CreatedCounterNaming(NamingConvention usual) {
    this.usual = usual;
  }

  /** Has the registry, or each one that a composite has now, keep the name. */
  static void install(MeterRegistry registry) {
    if (registry instanceof CompositeMeterRegistry composite) {
      composite.getRegistries().forEach(CreatedCounterNaming::install);
    } else if (!(registry.config().namingConvention() instanceof CreatedCounterNaming)) {
      registry
          .config()
          .namingConvention(new CreatedCounterNaming(registry.config().namingConvention()));
    }
  }

  @Override
  public String name(String name, Meter.Type type, @Nullable String baseUnit) {
    String given = usual.name(name, type, baseUnit);
    boolean cut = name.equals(NAME) && !given.toLowerCase(Locale.ROOT).contains(ENDING);
    return cut ? given + "_" + ENDING : given;
  }

  @Override
  public String tagKey(String key) {
    return usual.tagKey(key);
  }

  @Override
  public String tagValue(String value) {
    return usual.tagValue(value);
  }
}
