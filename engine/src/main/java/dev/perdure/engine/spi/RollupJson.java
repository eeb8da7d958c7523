// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.DurationHistogram;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupCounts;
import java.util.Comparator;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON form in which stores keep counts. It has the total and, for the most active kinds, an
 * array of numbers in the order of {@link RollupCounter}. A reader takes missing numbers as zero
 * and ignores further ones, so that nodes of two versions understand each other.
 */
public final class RollupJson {

  /** How many kinds are stored; what others did is part of the total only. */
  public static final int MAX_KINDS = 100;

  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final RollupCounter[] COUNTERS = RollupCounter.values();

  private RollupJson() {}

  public static String write(RollupCounts counts) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("total", numbers(counts::total));
    ObjectNode kinds = json.putObject("kinds");
    mostActive(counts)
        .forEach(kind -> kinds.set(kind, numbers(counter -> counts.ofKind(kind, counter))));
    json.set("run", histogram(counts.runTimes()));
    json.set("late", histogram(counts.lateness()));
    return MAPPER.writeValueAsString(json);
  }

  private static Stream<String> mostActive(RollupCounts counts) {
    return counts.kinds().stream()
        .sorted(Comparator.comparingLong(counts::activity).reversed())
        .limit(MAX_KINDS);
  }

  private static ArrayNode numbers(ToLongFunction<RollupCounter> value) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    for (RollupCounter counter : COUNTERS) {
      json.add(value.applyAsLong(counter));
    }
    return json;
  }

  private static ArrayNode histogram(DurationHistogram histogram) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < DurationHistogram.SIZE && !histogram.isEmpty(); i++) {
      json.add(histogram.count(i));
    }
    return json;
  }

  public static RollupCounts read(String text) {
    JsonNode json = MAPPER.readTree(text);
    RollupCounts counts = new RollupCounts();
    for (RollupCounter counter : COUNTERS) {
      counts.add(counter, json.path("total").path(counter.position()).asLong(0));
      json.path("kinds")
          .properties()
          .forEach(
              kind ->
                  counts.addToKind(
                      kind.getKey(), counter, kind.getValue().path(counter.position()).asLong(0)));
    }
    for (int i = 0; i < DurationHistogram.SIZE; i++) {
      counts.runTimes().add(i, json.path("run").path(i).asLong(0));
      counts.lateness().add(i, json.path("late").path(i).asLong(0));
    }
    return counts;
  }
}
