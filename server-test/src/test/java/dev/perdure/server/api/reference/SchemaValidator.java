// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Validates JSON against the subset of JSON Schema that the OpenAPI document uses. Any other
 * keyword is an error.
 */
final class SchemaValidator {

  private static final Set<String> IGNORED = Set.of("format", "description", "examples", "default");
  private static final Set<String> CHECKED =
      Set.of(
          "$ref",
          "type",
          "enum",
          "oneOf",
          "allOf",
          "properties",
          "required",
          "additionalProperties",
          "unevaluatedProperties",
          "items",
          "minimum",
          "maximum",
          "maxLength",
          "minItems",
          "maxItems",
          "minProperties",
          "maxProperties");

  private final OpenApi api;
  private final List<String> problems = new ArrayList<>();

  private SchemaValidator(OpenApi api) {
    this.api = api;
  }

  static List<String> problems(OpenApi api, JsonNode schema, JsonNode value) {
    SchemaValidator check = new SchemaValidator(api);
    check.check("", schema, value);
    return check.problems;
  }

  private void check(String path, JsonNode given, JsonNode value) {
    JsonNode schema = api.resolve(given);
    schema
        .propertyStream()
        .filter(
            keyword -> !CHECKED.contains(keyword.getKey()) && !IGNORED.contains(keyword.getKey()))
        .forEach(
            keyword -> problems.add(path + ": unknown schema keyword '" + keyword.getKey() + "'"));
    if (schema.has("oneOf")) {
      List<List<String>> each =
          schema.path("oneOf").valueStream().map(one -> problems(api, one, value)).toList();
      if (each.stream().filter(List::isEmpty).count() != 1) {
        problems.add(path + ": must fit exactly one of " + each);
      }
    }
    schema.path("allOf").forEach(part -> check(path, part, value));
    if (schema.has("type") && !types(schema.path("type")).contains(type(value))) {
      problems.add(path + ": " + value + " is not of type " + schema.path("type"));
    }
    if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(value::equals)) {
      problems.add(path + ": " + value + " is not one of " + schema.path("enum"));
    }
    sizes(path, schema, value);
    if (value.isObject()) {
      object(path, schema, value);
    } else if (value.isArray() && schema.has("items")) {
      for (int i = 0; i < value.size(); i++) {
        check(path + "[" + i + "]", schema.path("items"), value.path(i));
      }
    }
  }

  private void sizes(String path, JsonNode schema, JsonNode value) {
    if (value.isNumber()) {
      within(path, schema, value.doubleValue(), "minimum", "maximum");
    } else if (value.isString()) {
      within(path, schema, value.stringValue().length(), "minLength", "maxLength");
    } else if (value.isArray()) {
      within(path, schema, value.size(), "minItems", "maxItems");
    } else if (value.isObject()) {
      within(path, schema, value.size(), "minProperties", "maxProperties");
    }
  }

  private void within(String path, JsonNode schema, double size, String min, String max) {
    if (schema.has(min) && size < schema.path(min).asDouble()) {
      problems.add("%s: %s is less than the %s".formatted(path, size, min));
    }
    if (schema.has(max) && size > schema.path(max).asDouble()) {
      problems.add("%s: %s is more than the %s".formatted(path, size, max));
    }
  }

  private void object(String path, JsonNode schema, JsonNode value) {
    schema
        .path("required")
        .valueStream()
        .filter(name -> !value.has(name.asString()))
        .forEach(name -> problems.add(path + ": has no " + name));
    JsonNode properties = schema.path("properties");
    Set<String> known = known(schema).collect(Collectors.toCollection(HashSet::new));
    boolean closed =
        !schema.path("additionalProperties").asBoolean(true) || schema.has("unevaluatedProperties");
    value
        .propertyStream()
        .forEach(
            field -> {
              String name = path + "." + field.getKey();
              if (properties.has(field.getKey())) {
                check(name, properties.path(field.getKey()), field.getValue());
              } else if (closed && !known.contains(field.getKey())) {
                problems.add(name + ": is not in the schema");
              }
            });
  }

  /** The fields of an object schema and of all schemas that it includes. */
  private Stream<String> known(JsonNode given) {
    JsonNode schema = api.resolve(given);
    return Stream.concat(
        schema.path("properties").propertyNames().stream(),
        schema.path("allOf").valueStream().flatMap(this::known));
  }

  private static Set<String> types(JsonNode type) {
    return (type.isArray() ? type.valueStream() : Stream.of(type))
        .map(JsonNode::asString)
        .flatMap(name -> name.equals("number") ? Stream.of(name, "integer") : Stream.of(name))
        .collect(Collectors.toSet());
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
