// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The options of a schedule other than its trigger. The server checks their values. */
final class ScheduleOptions {

  @Option(
      names = "--overlap",
      paramLabel = "HOW",
      description = "If it is still busy at a firing: skip, queue or allow (skip).")
  private @Nullable String overlap;

  @Option(
      names = "--misfire",
      paramLabel = "HOW",
      description = "After missed firings: fire_once or skip (fire_once).")
  private @Nullable String misfire;

  @Option(names = "--paused", description = "Do not fire until perdure schedule resume.")
  private boolean paused;

  void addTo(ObjectNode body) {
    if (overlap != null) {
      body.put("overlap", overlap);
    }
    if (misfire != null) {
      body.put("misfire", misfire);
    }
    if (paused) {
      body.put("enabled", false);
    }
  }
}
