// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.InvalidPolicyException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Parses untrusted JSON of limited length and depth and with limited numbers. A duplicate field
 * does not end the parsing: it is added to the errors with its path.
 */
final class StrictJsonParser {

  private static final int MAX_DEPTH = 32;
  private static final int MAX_DIGITS = 100;
  private static final int CONTEXT = 20;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_DIGITS)
                  .build())
          .build();

  private final JsonParser parser;
  private final FieldErrors errors;

  private StrictJsonParser(JsonParser parser, FieldErrors errors) {
    this.parser = parser;
    this.errors = errors;
  }

  /**
   * Parses a text.
   *
   * @throws InvalidPolicyException if it is too long or not JSON
   */
  static JsonNode parse(String text, FieldErrors errors) {
    if (text.length() > PolicyJson.MAX_LENGTH) {
      throw invalid(
          "has %d characters, at most %d are allowed"
              .formatted(text.length(), PolicyJson.MAX_LENGTH));
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw invalid("is empty; null means no policy");
      }
      JsonNode tree = new StrictJsonParser(parser, errors).value(first, "");
      if (parser.nextToken() != null) {
        throw invalid(
            "has more text after the end of the JSON"
                + location(parser.currentTokenLocation(), text));
      }
      return tree;
    } catch (StreamConstraintsException e) {
      throw invalid(
          "is nested deeper than %d levels or has a number with more than %d digits"
              .formatted(MAX_DEPTH, MAX_DIGITS));
    } catch (JacksonException e) {
      throw invalid("is not JSON" + location(e.getLocation(), text));
    }
  }

  /** The recursion is limited by the maximum depth of the parser. */
  private JsonNode value(JsonToken token, String path) {
    return switch (token) {
      case START_OBJECT -> object(path);
      case START_ARRAY -> array(path);
      case VALUE_STRING -> NODES.stringNode(parser.getString());
      case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
      // As a decimal, 1e9999999999 throws. As a double it is infinite, and the field rejects it.
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> NODES.nullNode();
    };
  }

  private ObjectNode object(String path) {
    ObjectNode object = NODES.objectNode();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      String here = JsonObjectReader.path(path, name);
      JsonNode value = value(parser.nextToken(), here);
      if (object.has(name)) {
        errors.add(here, "is given twice: keep one");
      } else {
        object.set(name, value);
      }
    }
    return object;
  }

  private ArrayNode array(String path) {
    ArrayNode array = NODES.arrayNode();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      array.add(value(token, path + "[" + array.size() + "]"));
    }
    return array;
  }

  private static InvalidPolicyException invalid(String message) {
    return new InvalidPolicyException(List.of(new FieldError("", message)));
  }

  /** Returns the position for an error message; empty if the exception does not have one. */
  private static String location(@Nullable TokenStreamLocation location, String text) {
    if (location == null) {
      return "";
    }
    int offset = (int) Math.clamp(location.getCharOffset(), 0L, text.length());
    String near =
        text.substring(Math.max(0, offset - CONTEXT), Math.min(text.length(), offset + CONTEXT));
    return " at line %d, column %d, near '%s'"
        .formatted(location.getLineNr(), location.getColumnNr(), FieldError.sanitize(near));
  }
}
