// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Compares JSON with the part of JSON Schema that our document uses; an unknown word is an error.
 */
final class SchemaCheck {

  private static final Set<String> KNOWN =
      Set.of(
          "$ref",
          "type",
          "format",
          "description",
          "examples",
          "default",
          "enum",
          "oneOf",
          "properties",
          "required",
          "additionalProperties",
          "items",
          "minimum",
          "maximum",
          "maxLength",
          "minItems",
          "maxItems",
          "minProperties");

  private final OpenApi api;
  private final List<String> problems = new ArrayList<>();

  private SchemaCheck(OpenApi api) {
    this.api = api;
  }

  static List<String> problems(OpenApi api, JsonNode schema, JsonNode value) {
    SchemaCheck check = new SchemaCheck(api);
    check.check("", schema, value);
    return check.problems;
  }

  private void check(String path, JsonNode given, JsonNode value) {
    given
        .propertyStream()
        .filter(word -> !KNOWN.contains(word.getKey()))
        .forEach(word -> problems.add(path + ": the schema says '" + word.getKey() + "'"));
    JsonNode schema = api.resolved(given);
    if (schema.has("oneOf")) {
      List<List<String>> each =
          schema.path("oneOf").valueStream().map(one -> problems(api, one, value)).toList();
      if (each.stream().filter(List::isEmpty).count() != 1) {
        problems.add(path + ": must fit exactly one of " + each);
      }
    }
    if (schema.has("type") && !types(schema.path("type")).contains(type(value))) {
      problems.add(path + ": " + value + " is no " + schema.path("type"));
    }
    if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(value::equals)) {
      problems.add(path + ": " + value + " is not one of " + schema.path("enum"));
    }
    if (value.isObject()) {
      object(path, schema, value);
    } else if (value.isArray() && schema.has("items")) {
      for (int i = 0; i < value.size(); i++) {
        check(path + "[" + i + "]", schema.path("items"), value.path(i));
      }
    }
  }

  private void object(String path, JsonNode schema, JsonNode value) {
    schema
        .path("required")
        .valueStream()
        .filter(name -> !value.has(name.asString()))
        .forEach(name -> problems.add(path + ": has no " + name));
    JsonNode properties = schema.path("properties");
    boolean closed = schema.path("additionalProperties").isBoolean();
    value
        .propertyStream()
        .forEach(
            field -> {
              String name = path + "." + field.getKey();
              if (properties.has(field.getKey())) {
                check(name, properties.path(field.getKey()), field.getValue());
              } else if (closed) {
                problems.add(name + ": is not in the schema");
              }
            });
  }

  private static Set<String> types(JsonNode type) {
    return type.isArray()
        ? type.valueStream().map(JsonNode::asString).collect(Collectors.toSet())
        : type.asString().equals("number") ? Set.of("number", "integer") : Set.of(type.asString());
  }

  private static String type(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "object";
      case ARRAY -> "array";
      case STRING -> "string";
      case BOOLEAN -> "boolean";
      case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
      default -> "null";
    };
  }
}
