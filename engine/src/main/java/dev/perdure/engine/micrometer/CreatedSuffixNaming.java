// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.NamingConvention;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the name {@code perdure.tasks.created}. OpenMetrics reserves the suffix {@code _created},
 * so a Prometheus registry removes it and would show {@code perdure_tasks_total}. All other names
 * follow the registry's own convention.
 */
final class CreatedSuffixNaming implements NamingConvention {

  static final String NAME = "perdure.tasks.created";
  private static final String ENDING = "created";

  private final NamingConvention usual;

  private CreatedSuffixNaming(NamingConvention usual) {
    this.usual = usual;
  }

  /** Installs the convention in the registry, or in each registry that a composite has now. */
  static void install(MeterRegistry registry) {
    if (registry instanceof CompositeMeterRegistry composite) {
      composite.getRegistries().forEach(CreatedSuffixNaming::install);
    } else if (!(registry.config().namingConvention() instanceof CreatedSuffixNaming)) {
      registry
          .config()
          .namingConvention(new CreatedSuffixNaming(registry.config().namingConvention()));
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
