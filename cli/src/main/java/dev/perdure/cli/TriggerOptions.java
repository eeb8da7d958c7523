// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The options that say when a schedule fires. The server checks their values. */
final class TriggerOptions {

  static final String MISSING = "give --cron, --every or --at";

  private static final List<String> KINDS = List.of("cron", "every", "at");

  @Option(
      names = "--cron",
      paramLabel = "EXPRESSION",
      description = "Fire by a cron expression, such as '0 8 * * 1-5' or @daily.")
  private @Nullable String cron;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "Fire every so often, such as 5m or 12h.")
  private @Nullable String every;

  @Option(names = "--at", paramLabel = "HH:MM", description = "Fire at a time of day.")
  private @Nullable String at;

  @Option(
      names = "--days",
      paramLabel = "DAYS",
      description = "With --at: only on these days, such as mon,thu.")
  private @Nullable String days;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of --cron and --at, such as Europe/Paris (UTC).")
  private @Nullable String zone;

  boolean isGiven() {
    return Stream.of(cron, every, at, days, zone).anyMatch(text -> text != null);
  }

  /** Adds the errors in the combination of options. */
  void check(OptionParser parser) {
    if (Stream.of(cron, every, at).filter(text -> text != null).count() > 1) {
      parser.addError("--cron", "give only one of --cron, --every and --at");
      return;
    }
    if (days != null && (cron != null || every != null)) {
      parser.addError("--days", "goes with --at; a cron expression has days of its own");
    }
    if (zone != null && every != null) {
      parser.addError("--zone", "does not go with --every, which counts elapsed time");
    }
  }

  /**
   * The trigger with what the options change. A new time keeps the zone, and a new time of day also
   * the days.
   *
   * @param current the trigger so far; something else than an object for none
   */
  ObjectNode applyTo(JsonNode current) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    put(json, "cron", cron);
    put(json, "every", every);
    put(json, "at", at);
    boolean sameKind = json.isEmpty();
    for (Map.Entry<String, JsonNode> field : current.properties()) {
      boolean fits =
          switch (field.getKey()) {
            case "zone" -> every == null;
            case "days" -> sameKind || at != null;
            default -> sameKind;
          };
      if (fits) {
        json.set(field.getKey(), field.getValue());
      }
    }
    if (days != null) {
      Stream.of(days.split(",", -1)).map(String::strip).forEach(json.putArray("days")::add);
    }
    return zone == null ? json : json.put("zone", zone);
  }

  private static void put(ObjectNode json, String field, @Nullable String text) {
    if (text != null) {
      json.put(field, text);
    }
  }

  /** Whether a trigger says when to fire. */
  static boolean isComplete(JsonNode trigger) {
    return KINDS.stream().anyMatch(trigger::has);
  }
}
