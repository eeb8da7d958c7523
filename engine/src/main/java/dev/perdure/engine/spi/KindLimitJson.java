// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.MetadataFields;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON form of the limits of a kind: {@code {"max_concurrency": 10, "rate": {"max_starts": 5,
 * "per": "1s"}, "fields": ["tenant"]}}.
 */
public final class KindLimitJson {

  private KindLimitJson() {}

  /** Reads the limits of a kind; what is wrong is added to the errors of the value. */
  public static List<Limit> read(JsonValueReader value) {
    JsonObjectReader object = value.object();
    if (object == null) {
      return List.of();
    }
    JsonValueReader max = object.nonNull(LimitRules.maxConcurrency(object));
    JsonValueReader rate = object.nonNull("rate");
    List<String> fields = MetadataFields.read(object.nonNull("fields"));
    if (max == null && rate == null) {
      value.addError("must have max_concurrency, a rate, or both");
    }
    LimitRule concurrency = max == null ? null : LimitRules.concurrency(max);
    LimitRule starts = rate == null ? null : rate(rate);
    object.rejectUnknown();
    return fields == null
        ? List.of()
        : Stream.of(concurrency, starts)
            .filter(Objects::nonNull)
            .map(rule -> Limit.of(rule).per(fields.toArray(String[]::new)))
            .toList();
  }

  private static @Nullable LimitRule rate(JsonValueReader value) {
    JsonObjectReader fields = value.object();
    if (fields == null) {
      return null;
    }
    LimitRule rate = LimitRules.rate(fields);
    fields.rejectUnknown();
    return rate;
  }

  /** The limits of a kind as JSON; a limit that there is not is null. */
  public static ObjectNode write(List<Limit> limits) {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().putNull("max_concurrency").putNull("rate");
    ArrayNode fields = json.putArray("fields");
    for (Limit limit : limits) {
      LimitRule rule = limit.rule();
      if (rule.per() == null) {
        json.put("max_concurrency", rule.max());
      } else {
        json.putObject("rate")
            .put("max_starts", rule.max())
            .put("per", DurationText.format(rule.per()))
            .put("burst", rule.burst());
      }
    }
    limits.stream().limit(1).flatMap(limit -> limit.fields().stream()).forEach(fields::add);
    return json;
  }
}
