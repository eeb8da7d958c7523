// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.DurationHistogram;
import dev.perdure.engine.query.RollupCounter;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.spi.RollupStore;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows what all nodes did over time. */
final class SeriesRoute {

  private static final List<String> PARAMETERS = List.of("window", "kind");
  private static final List<String> WINDOWS =
      Arrays.stream(SeriesWindow.values()).map(SeriesWindow::text).toList();

  private final TaskStore store;
  private final InstantSource clock;
  private final Map<SeriesWindow, KeptSeries> kept = new EnumMap<>(SeriesWindow.class);

  /** The counts of each bucket, where null means that no node ran. */
  @SuppressWarnings("ArrayRecordComponent") // Series are never compared.
  record Series(Instant from, @Nullable RollupCounts[] buckets) {}

  private record KeptSeries(Series series, Instant until) {}

  SeriesRoute(TaskStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  Response show(Request request) {
    QueryReader query = QueryReader.of(request.query(), PARAMETERS);
    String text = query.oneOf("window", WINDOWS);
    query.requireValid();
    SeriesWindow window =
        Arrays.stream(SeriesWindow.values())
            .filter(each -> each.text().equals(text))
            .findFirst()
            .orElse(SeriesWindow.H1);
    return Response.ok(toJson(window, series(window), LimitQuery.wholeKind(query.text("kind"))));
  }

  /** One series is read at a time; each is kept for a while, with all kinds. */
  synchronized Series series(SeriesWindow window) {
    KeptSeries known = kept.get(window);
    if (known == null || !clock.instant().isBefore(known.until())) {
      known = new KeptSeries(read(window), clock.instant().plus(window.keptFor()));
      kept.put(window, known);
    }
    return known.series();
  }

  /** Attempts in each complete minute of the last hour; null if no node ran. */
  @Nullable Double attemptsPerMinute(@Nullable String kind) {
    @Nullable RollupCounts[] buckets = series(SeriesWindow.H1).buckets();
    OptionalDouble average =
        Arrays.stream(buckets, 0, buckets.length - 1)
            .filter(Objects::nonNull)
            .mapToLong(
                counts ->
                    kind == null
                        ? counts.total(RollupCounter.STARTED)
                        : counts.ofKind(kind, RollupCounter.STARTED))
            .average();
    return average.isPresent() ? average.getAsDouble() : null;
  }

  private Series read(SeriesWindow window) {
    Instant from = window.from(store.now());
    @Nullable RollupCounts[] buckets = new RollupCounts[window.buckets()];
    Instant[] oldest = {Instant.MAX};
    int read =
        store
            .rollups()
            .read(
                window.rollups(),
                from,
                RollupStore.MAX_READ,
                rollup -> {
                  int index = index(window, from, rollup.at());
                  RollupCounts counts = buckets[index];
                  if (counts == null) {
                    counts = new RollupCounts();
                    buckets[index] = counts;
                  }
                  counts.add(rollup.counts());
                  oldest[0] = rollup.at();
                });
    if (read >= RollupStore.MAX_READ) {
      // Some of its rollups were not read.
      buckets[index(window, from, oldest[0])] = null;
    }
    return new Series(from, buckets);
  }

  private static int index(SeriesWindow window, Instant from, Instant at) {
    long index = Duration.between(from, at).dividedBy(window.step());
    return Math.toIntExact(Math.min(window.buckets() - 1L, index));
  }

  private static ObjectNode toJson(SeriesWindow window, Series series, @Nullable String kind) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("from", InstantText.of(series.from()))
            .put("step_ms", window.step().toMillis())
            .put("forming", true);
    for (RollupCounter counter : RollupCounter.values()) {
      json.set(counter.text(), values(series, counts -> count(counts, counter, kind)));
    }
    json.set("run_ms_p50", percentiles(series, kind, RollupCounts::runTimes, 0.5));
    json.set("run_ms_p95", percentiles(series, kind, RollupCounts::runTimes, 0.95));
    json.set("late_ms_p95", percentiles(series, kind, RollupCounts::lateness, 0.95));
    return json;
  }

  /** Deliveries are not counted by kind. */
  private static OptionalLong count(
      RollupCounts counts, RollupCounter counter, @Nullable String kind) {
    if (kind == null) {
      return OptionalLong.of(counts.total(counter));
    }
    boolean known = counter != RollupCounter.DELIVERED && counter != RollupCounter.UNDELIVERED;
    return known ? OptionalLong.of(counts.ofKind(kind, counter)) : OptionalLong.empty();
  }

  /** Durations are not counted by kind. */
  private static ArrayNode percentiles(
      Series series,
      @Nullable String kind,
      Function<RollupCounts, DurationHistogram> histogram,
      double part) {
    return values(
        series,
        counts ->
            kind == null ? histogram.apply(counts).percentileMillis(part) : OptionalLong.empty());
  }

  private static ArrayNode values(Series series, Function<RollupCounts, OptionalLong> value) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    for (RollupCounts counts : series.buckets()) {
      OptionalLong found = counts == null ? OptionalLong.empty() : value.apply(counts);
      if (found.isPresent()) {
        json.add(found.getAsLong());
      } else {
        json.addNull();
      }
    }
    return json;
  }
}
