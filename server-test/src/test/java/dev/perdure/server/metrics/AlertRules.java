// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The alert rules for Prometheus. */
record AlertRules(List<Map<?, ?>> rules) {

  private static final Path FILE = Path.of("../ops/prometheus/perdure-alerts.yaml");

  static AlertRules read() throws IOException {
    Map<?, ?> yaml =
        (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(Files.readString(FILE));
    List<Map<?, ?>> rules = new ArrayList<>();
    for (Object group : (List<?>) yaml.get("groups")) {
      ((List<?>) ((Map<?, ?>) group).get("rules")).forEach(rule -> rules.add((Map<?, ?>) rule));
    }
    return new AlertRules(rules);
  }

  /** What the rules select. */
  List<Dashboard.Selection> selections() {
    return rules.stream()
        .flatMap(rule -> Dashboard.selections(rule.get("expr").toString()).stream())
        .toList();
  }
}
