// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.KindLimitJson;
import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.task.Limit;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.json.JsonValueReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses the limits of kinds: a JSON object with a field for each kind. */
final class KindLimitsParser {

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private KindLimitsParser() {}

  /** Throws InvalidPolicyException with all errors. */
  static Map<String, List<Limit>> parse(String text) {
    FieldErrors errors = new FieldErrors();
    JsonNode json = json(text);
    Map<String, List<Limit>> limits = new LinkedHashMap<>();
    if (!json.isNull()) {
      new JsonValueReader("", json, errors).object();
    }
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      String path = FieldError.sanitize(field.getKey());
      checkKind(field.getKey(), path, errors);
      limits.put(
          field.getKey(), KindLimitJson.read(new JsonValueReader(path, field.getValue(), errors)));
    }
    if (limits.size() > KindLimits.MAX_KINDS) {
      errors.add(
          "",
          "has %d kinds, at most %d are allowed".formatted(limits.size(), KindLimits.MAX_KINDS));
    }
    errors.throwIfAny();
    return limits;
  }

  private static void checkKind(String kind, String path, FieldErrors errors) {
    try {
      NewTask.of(kind, null);
      LimitKeys.requireKind(kind);
    } catch (IllegalArgumentException e) {
      errors.add(path, "is not a kind: " + e.getMessage());
    }
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "is not JSON, such as {\"sync\": {\"max_concurrency\": 10}}: "
              + FieldError.sanitize(e.getOriginalMessage()),
          e);
    }
  }
}
