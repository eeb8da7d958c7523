// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.MetadataFields;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON form of limits, which a task keeps as its rules. {@code Concurency} and {@code
 * max_concurency} are the spelling of an older system and mean the same.
 */
public final class LimitRules {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final List<String> TYPES =
      List.of("Concurrency", "Concurency", "Capacity", "Rate");
  private static final List<String> STATUSES = List.of("Running", "Claimed", "running", "claimed");

  private LimitRules() {}

  /** The limits of a task, each key once. */
  public static List<TaskLimit> of(TaskDefinition task) {
    return of(task.rules(), task.kind(), task.metadata());
  }

  /** The limits of a task with these rules, a JSON array or null. */
  public static List<TaskLimit> of(@Nullable String rules, String kind, @Nullable String metadata) {
    if (rules == null) {
      return List.of();
    }
    return of(read(rules, kind), kind, metadata);
  }

  /** Reads stored rules. */
  public static List<Limit> read(String rules, String kind) {
    FieldErrors errors = new FieldErrors();
    List<Limit> limits = read(new JsonValueReader("rules", JSON.readTree(rules), errors), kind);
    errors.throwIfAny();
    return limits;
  }

  /**
   * What the limits of a task allow, by its rules. The limits of its kind allow everything here,
   * because {@link KindLimits} say how much they allow.
   *
   * @param keys the keys of the task, as stores keep them
   */
  public static List<TaskLimit> describe(
      @Nullable String keys, @Nullable String rules, String kind, @Nullable String metadata) {
    List<TaskLimit> all = new ArrayList<>(describeOwn(keys, rules, kind, metadata));
    TaskLimit.keys(keys).stream()
        .filter(LimitKeys::isOfKind)
        .map(key -> new TaskLimit(key, KindLimits.removed(LimitKeys.type(key))))
        .forEach(all::add);
    return all;
  }

  /**
   * The same without the limits of its kind. The metadata may have changed since the task got its
   * keys; then the order of the rules tells which is which.
   */
  static List<TaskLimit> describeOwn(
      @Nullable String keys, @Nullable String rules, String kind, @Nullable String metadata) {
    List<String> stored =
        TaskLimit.keys(keys).stream().filter(key -> !LimitKeys.isOfKind(key)).toList();
    List<TaskLimit> current = of(rules, kind, metadata);
    if (stored.size() != current.size()) {
      return current;
    }
    return IntStream.range(0, stored.size())
        .mapToObj(i -> new TaskLimit(stored.get(i), current.get(i).rule()))
        .toList();
  }

  /** The limits of a task of this kind; of two with the same key the last one counts. */
  public static List<TaskLimit> of(List<Limit> limits, String kind, @Nullable String metadata) {
    Map<String, TaskLimit> byKey = new LinkedHashMap<>();
    for (Limit limit : limits) {
      String key = LimitKeys.of(limit.rule().type(), kind, limit.fields(), metadata);
      byKey.put(key, new TaskLimit(key, limit.rule()));
    }
    return List.copyOf(byKey.values());
  }

  /** Reads the rules of a task of this kind; what is wrong is added to the errors of the value. */
  public static List<Limit> read(JsonValueReader rules, @Nullable String kind) {
    List<JsonValueReader> items = rules.array(Limit.MAX_PER_TASK);
    return items == null
        ? List.of()
        : items.stream().map(item -> rule(item, kind)).filter(Objects::nonNull).toList();
  }

  private static @Nullable Limit rule(JsonValueReader value, @Nullable String kind) {
    JsonObjectReader fields = value.object();
    JsonValueReader type = fields == null ? null : fields.required("type");
    String name = type == null ? null : type.oneOf("type", TYPES);
    if (fields == null || name == null) {
      return null;
    }
    List<String> matched = matcher(fields, kind);
    LimitRule rule =
        switch (name) {
          case "Rate" -> rate(fields);
          case "Capacity" -> max(fields, "max_capacity", LimitType.CAPACITY);
          default -> max(fields, maxConcurrency(fields), LimitType.CONCURRENCY);
        };
    fields.rejectUnknown();
    return rule == null || matched == null
        ? null
        : Limit.of(rule).per(matched.toArray(String[]::new));
  }

  /** The name of the field as the object spells it. */
  static String maxConcurrency(JsonObjectReader fields) {
    return fields.has("max_concurency") ? "max_concurency" : "max_concurrency";
  }

  private static @Nullable LimitRule max(JsonObjectReader fields, String name, LimitType type) {
    JsonValueReader value = fields.required(name);
    return value == null ? null : max(value, type);
  }

  private static @Nullable LimitRule max(JsonValueReader value, LimitType type) {
    Long max = value.integer(1, LimitRule.MAX);
    return max == null ? null : new LimitRule(type, max, null, 1);
  }

  static @Nullable LimitRule concurrency(JsonValueReader max) {
    return max(max, LimitType.CONCURRENCY);
  }

  static @Nullable LimitRule rate(JsonObjectReader fields) {
    JsonValueReader starts = fields.required("max_starts");
    JsonValueReader per = fields.required("per");
    JsonValueReader burst = fields.nonNull("burst");
    Long max = starts == null ? null : starts.integer(1, LimitRule.MAX);
    Duration period = per == null ? null : per.duration();
    Long most =
        burst == null ? Long.valueOf(1) : burst.integer(1, max == null ? LimitRule.MAX : max);
    if (max == null || per == null || period == null || most == null) {
      return null;
    }
    try {
      return LimitRule.rate(max, period, Math.toIntExact(most));
    } catch (IllegalArgumentException e) {
      per.addError(String.valueOf(e.getMessage()).replaceFirst("^per: ", ""));
      return null;
    }
  }

  /** Returns the metadata fields; null when the matcher is wrong. */
  private static @Nullable List<String> matcher(JsonObjectReader rule, @Nullable String kind) {
    JsonValueReader value = rule.nonNull("matcher");
    JsonObjectReader matcher = value == null ? null : value.object();
    if (matcher == null) {
      return value == null ? List.of() : null;
    }
    JsonValueReader ofKind = matcher.nonNull("kind");
    String name = ofKind == null ? kind : ofKind.text();
    if (ofKind != null && name != null && kind != null && !name.equals(kind)) {
      ofKind.addError("must be the kind of the task, '" + kind + "': a limit counts one kind");
    }
    JsonValueReader status = matcher.nonNull("status");
    if (status != null) {
      status.oneOf("status", STATUSES);
    }
    List<String> names = MetadataFields.read(matcher.nonNull("fields"));
    matcher.rejectUnknown();
    return names;
  }

  /** The rules of a task of this kind as JSON; null when there are none. */
  public static @Nullable String write(List<Limit> limits, String kind) {
    if (limits.isEmpty()) {
      return null;
    }
    ArrayNode rules = JsonNodeFactory.instance.arrayNode();
    limits.forEach(limit -> rules.add(rule(limit, kind)));
    return rules.toString();
  }

  private static JsonNode rule(Limit limit, String kind) {
    LimitRule rule = limit.rule();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    switch (rule.type()) {
      case CONCURRENCY -> json.put("type", "Concurrency").put("max_concurrency", rule.max());
      case CAPACITY -> json.put("type", "Capacity").put("max_capacity", rule.max());
      case RATE ->
          json.put("type", "Rate")
              .put("max_starts", rule.max())
              .put("per", DurationText.format(Objects.requireNonNull(rule.per())))
              .put("burst", rule.burst());
    }
    ObjectNode matcher = json.putObject("matcher").put("kind", kind).put("status", "Running");
    ArrayNode fields = matcher.putArray("fields");
    limit.fields().forEach(fields::add);
    return json;
  }
}
