// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.engine.EngineLimits;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.policy.FieldError;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Brings the limits of kinds in the store up to date with the configuration. */
final class ConfiguredLimits {

  private ConfiguredLimits() {}

  /** Also removes the limits of kinds that the configuration no longer has. */
  static void apply(EngineLimits limits, Configuration configuration) {
    Map<String, List<Limit>> declared = new HashMap<>();
    limits.ofKinds().stream()
        .filter(stored -> stored.source() == KindLimit.Source.CONFIG)
        .forEach(stored -> declared.put(stored.kind(), List.of()));
    declared.putAll(configuration.get(Settings.LIMITS));
    try {
      limits.declare(KindLimit.Source.CONFIG, declared);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationException(
          List.of(new FieldError(Settings.LIMITS.name(), String.valueOf(e.getMessage()))));
    }
  }
}
