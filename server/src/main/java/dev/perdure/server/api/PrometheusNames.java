// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.NamingConvention;
import org.jspecify.annotations.Nullable;

/**
 * Names as Prometheus has them. The usual convention takes {@code _created} for a word of its own
 * and drops it, so that {@code tasks_created_total} would be {@code tasks_total}.
 */
record PrometheusNames(NamingConvention usual) implements NamingConvention {

  @Override
  public String name(String name, Meter.Type type, @Nullable String unit) {
    return type == Meter.Type.COUNTER && name.endsWith(".created")
        ? name.replace('.', '_') + "_total"
        : usual.name(name, type, unit);
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
