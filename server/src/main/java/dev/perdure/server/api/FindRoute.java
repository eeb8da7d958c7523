// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Finds what a person types: the beginning of an id, or of the name of a schedule, or an error.
 * Each is looked up in a range of keys; nothing is searched through.
 */
final class FindRoute {

  private static final int MAX_RESULTS = 10;
  private static final int MIN_DIGITS = 4;
  private static final int DIGITS = 32;
  private static final int MAX_LENGTH = 255;
  private static final int MAX_LOOK = 1_000;
  private static final Pattern ID = Pattern.compile("[0-9a-f]{1,32}");
  private static final Pattern ERROR = Pattern.compile("[0-9a-f]{16}");

  private final Engine engine;

  FindRoute(Engine engine) {
    this.engine = engine;
  }

  Response find(Request request) {
    QueryReader query = QueryReader.of(request.query(), List.of("q"));
    String text = query.text("q");
    if (text == null || text.isBlank() || text.length() > MAX_LENGTH) {
      query.addProblem("q", "must have 1 to %d characters".formatted(MAX_LENGTH));
    }
    query.requireValid();
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    String word = String.valueOf(text).strip();
    String digits = word.toLowerCase(Locale.ROOT).replace("-", "");
    if (ID.matcher(digits).matches() && digits.length() >= MIN_DIGITS) {
      tasks(json, digits);
      batches(json, digits);
    }
    if (ERROR.matcher(digits).matches()) {
      error(json, digits);
    }
    schedules(json, word);
    return Response.ok(json);
  }

  private static void add(
      ArrayNode json, String type, String id, @Nullable String title, @Nullable String status) {
    if (json.size() < MAX_RESULTS) {
      json.addObject().put("type", type).put("id", id).put("title", title).put("status", status);
    }
  }

  private void tasks(ArrayNode json, String digits) {
    UUID before = id(number(digits, '0').subtract(BigInteger.ONE));
    PageRequest page =
        new PageRequest(MAX_RESULTS, before.toString()).withScanLimit(ScanLimit.of(MAX_LOOK));
    for (TaskRow task : engine.tasks().list(TaskFilter.all(), TaskSort.OLDEST, page).tasks()) {
      if (startsWith(task.id(), digits)) {
        String name = task.header().name();
        String title = name == null ? task.header().kind() : task.header().kind() + " · " + name;
        add(json, "task", task.id().toString(), title, task.status().toString());
      }
    }
  }

  private void batches(ArrayNode json, String digits) {
    UUID after = id(number(digits, 'f').add(BigInteger.ONE));
    for (BatchSummary batch :
        engine
            .batches()
            .list(BatchFilter.ALL, new PageRequest(MAX_RESULTS, after.toString()))
            .batches()) {
      if (startsWith(batch.id(), digits)) {
        add(json, "batch", batch.id().toString(), batch.definition().name(), null);
      }
    }
  }

  /** One of the newest failed tasks tells what the error is. */
  private void error(ArrayNode json, String error) {
    engine
        .tasks()
        .list(
            TaskFilter.in(DisplayStatus.FAILURE).withError(error),
            PageRequest.first(1).withScanLimit(ScanLimit.of(MAX_LOOK)))
        .tasks()
        .forEach(task -> add(json, "error", error, FacetRoute.title(task.failure()), null));
  }

  private void schedules(ArrayNode json, String name) {
    engine.schedules().findByName(name).ifPresent(schedule -> add(json, schedule));
    UUID id = QueryReader.parseUuid(name);
    if (id != null) {
      engine.schedules().find(id).ifPresent(schedule -> add(json, schedule));
    }
    engine.schedules().list(name, MAX_RESULTS).stream()
        .filter(schedule -> schedule.name().startsWith(name))
        .forEach(schedule -> add(json, schedule));
  }

  private static void add(ArrayNode json, Schedule schedule) {
    add(json, "schedule", schedule.id().toString(), schedule.name(), null);
  }

  private static boolean startsWith(UUID id, String digits) {
    return id.toString().replace("-", "").startsWith(digits);
  }

  private static BigInteger number(String digits, char rest) {
    return new BigInteger(digits + String.valueOf(rest).repeat(DIGITS - digits.length()), 16);
  }

  /** The id with this number, or the first or last one. */
  private static UUID id(BigInteger number) {
    BigInteger last = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);
    BigInteger inside = number.max(BigInteger.ZERO).min(last);
    return new UUID(inside.shiftRight(64).longValue(), inside.longValue());
  }
}
