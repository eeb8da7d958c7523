// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWave.KindCounts;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.RetryWindow;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows how many waiting retries become due when. */
final class RetryWaveRoute {

  private static final Duration MAX_WAIT = Duration.ofSeconds(10);
  private static final List<String> PARAMETERS = List.of("window", "kind", "by");
  private static final List<String> WINDOWS =
      Stream.of(RetryWindow.values())
          .map(window -> window.name().toLowerCase(Locale.ROOT))
          .toList();
  private static final String BY_KIND = "kind";
  private static final JsonNode NOTHING = JsonNodeFactory.instance.nullNode();

  private final RetryWaveCache cache;
  private final SeriesRoute series;

  RetryWaveRoute(Engine engine, InstantSource clock, SeriesRoute series) {
    this.series = series;
    this.cache = new RetryWaveCache(engine.tasks()::retryWave, clock, MAX_WAIT);
  }

  Response show(Request request) {
    RetryWaveQuery query = query(request.query());
    RetryWave wave = cache.get(query);
    ObjectNode json = toJson(wave, query.byKind());
    json.put("usual", usual(wave, query.kind()));
    return Response.ok(json);
  }

  /** The wave of the next hour, of all kinds. */
  RetryWave get(RetryWaveQuery query) {
    return cache.get(query);
  }

  /** Attempts per bucket in the last hour, to one decimal. */
  private @Nullable Double usual(RetryWave wave, @Nullable String kind) {
    Double perMinute = series.attemptsPerMinute(kind);
    return perMinute == null ? null : Math.round(perMinute * wave.step().toSeconds() / 6.0) / 10.0;
  }

  private static RetryWaveQuery query(QueryParameters parameters) {
    QueryReader query = QueryReader.of(parameters, PARAMETERS);
    String window = query.oneOf("window", WINDOWS);
    String by = query.oneOf("by", List.of(BY_KIND));
    query.requireValid();
    return RetryWaveQuery.of(
            window == null
                ? RetryWindow.HOUR
                : RetryWindow.valueOf(window.toUpperCase(Locale.ROOT)))
        .withKind(LimitQuery.wholeKind(query.text("kind")))
        .withByKind(by != null);
  }

  private static ObjectNode toJson(RetryWave wave, boolean byKind) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("now", InstantText.of(wave.now()))
            .put("from", InstantText.of(wave.from()))
            .put("step_ms", wave.step().toMillis())
            .put("overdue", wave.overdue())
            .put("later", wave.later())
            .put("estimated", wave.estimated());
    json.set("counts", counts(wave.counts()));
    json.set("peak", wave.peak().map(RetryWaveRoute::peak).orElse(NOTHING));
    json.set("by_kind", byKind ? kinds(wave.byKind()) : NOTHING);
    return json;
  }

  private static JsonNode peak(RetryWave.Peak peak) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("at", InstantText.of(peak.at()))
        .put("count", peak.count());
  }

  private static JsonNode kinds(List<KindCounts> kinds) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    for (KindCounts kind : kinds) {
      json.addObject().put("kind", kind.kind()).set("counts", counts(kind.counts()));
    }
    return json;
  }

  private static JsonNode counts(List<Long> counts) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    counts.forEach(json::add);
    return json;
  }
}
