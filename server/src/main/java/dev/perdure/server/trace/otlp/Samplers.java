// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.trace.TraceSettings;
import io.opentelemetry.sdk.trace.samplers.Sampler;

/**
 * Which traces are recorded. Each of them decides by the trace alone, so that every node decides
 * the same of every attempt of a task, at its start and at its end.
 */
final class Samplers {

  private static final String PARENT_BASED = "parentbased_";

  private Samplers() {}

  static Sampler of(Configuration configuration) {
    String name = configuration.get(TraceSettings.SAMPLER);
    double ratio = configuration.get(TraceSettings.SAMPLER_ARG);
    return name.startsWith(PARENT_BASED)
        ? Sampler.parentBased(root(name.substring(PARENT_BASED.length()), ratio))
        : root(name, ratio);
  }

  private static Sampler root(String name, double ratio) {
    return switch (name) {
      case "always_on" -> Sampler.alwaysOn();
      case "always_off" -> Sampler.alwaysOff();
      case "traceidratio" -> Sampler.traceIdRatioBased(ratio);
      default -> throw new IllegalArgumentException("there is no sampler " + name);
    };
  }
}
