// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parses request bodies: strict JSON with limits on depth and numbers, without duplicate fields and
 * without halves of surrogate pairs.
 */
public final class JsonBody {

  private static final int MAX_DEPTH = 100;
  private static final int MAX_NUMBER_LENGTH = 100;

  /** The limits for JSON that is stored, so that everything stored can be read and shown. */
  public static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNestingDepth(MAX_DEPTH)
          .maxNumberLength(MAX_NUMBER_LENGTH)
          .build();

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(LIMITS)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private JsonBody() {}

  static JsonNode parse(byte[] bytes) {
    JsonNode json;
    try {
      json = MAPPER.readTree(bytes);
    } catch (StreamConstraintsException | NumberFormatException e) {
      throw HttpProblemException.badRequest(
          "the body is nested deeper than %d levels, has a number of more than %d digits or with"
                  .formatted(MAX_DEPTH, MAX_NUMBER_LENGTH)
              + " a huge exponent, or has a field name that is too long");
    } catch (JacksonException e) {
      throw HttpProblemException.badRequest(
          "the body is not JSON%s: %s"
              .formatted(location(e.getLocation()), FieldError.sanitize(e.getOriginalMessage())));
    }
    if (json.isMissingNode()) {
      throw HttpProblemException.badRequest("the body is empty: send JSON");
    }
    String path = UnpairedSurrogates.find(json);
    if (path != null) {
      throw HttpProblemException.invalid(
          List.of(
              new FieldError(
                  path, "contains half of a surrogate pair: send both halves or remove it")));
    }
    return json;
  }

  /** Parses a part of a request that is text, by the same rules; null if it is not such JSON. */
  public static @Nullable JsonNode parseOrNull(String text) {
    try {
      JsonNode json = MAPPER.readTree(text);
      return UnpairedSurrogates.find(json) == null ? json : null;
    } catch (JacksonException | NumberFormatException e) {
      return null;
    }
  }

  private static String location(@Nullable TokenStreamLocation location) {
    return location == null
        ? ""
        : " at line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
  }
}
