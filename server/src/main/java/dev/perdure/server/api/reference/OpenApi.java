// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI document of the HTTP API. */
public final class OpenApi {

  private static final String FILE = "openapi.yaml";
  private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");

  private final JsonNode document;

  private OpenApi(JsonNode document) {
    this.document = document;
  }

  /**
   * One method of one path.
   *
   * @param json the operation object of the document
   * @param parameters the parameters of the path and of the operation, with references resolved
   */
  public record Operation(String method, String path, JsonNode json, List<JsonNode> parameters) {

    public Operation {
      parameters = List.copyOf(parameters);
    }

    public String id() {
      return json.path("operationId").asString();
    }

    /** The role that a caller needs. */
    public String role() {
      return json.path("x-role").asString();
    }
  }

  public static OpenApi load() {
    LoadSettings settings =
        LoadSettings.builder().setLabel(FILE).setAllowDuplicateKeys(false).build();
    try (InputStream file = OpenApi.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException(FILE + " is missing from the jar");
      }
      Object yaml = new Load(settings).loadFromInputStream(file);
      return new OpenApi(JsonMapper.shared().valueToTree(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public JsonNode document() {
    return document;
  }

  /** Every operation, in the document's order. */
  public List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    document
        .path("paths")
        .propertyStream()
        .forEach(
            path ->
                METHODS.stream()
                    .filter(method -> path.getValue().has(method))
                    .map(method -> operation(method, path.getKey(), path.getValue()))
                    .forEach(operations::add));
    return operations;
  }

  private Operation operation(String method, String path, JsonNode item) {
    List<JsonNode> parameters = new ArrayList<>();
    item.path("parameters").forEach(each -> parameters.add(resolve(each)));
    item.path(method).path("parameters").forEach(each -> parameters.add(resolve(each)));
    return new Operation(method.toUpperCase(Locale.ROOT), path, item.path(method), parameters);
  }

  /** Follows a {@code $ref}; returns the node itself when it is not a reference. */
  public JsonNode resolve(JsonNode node) {
    JsonNode reference = node.path("$ref");
    if (reference.isMissingNode()) {
      return node;
    }
    JsonNode found = document.at(reference.asString().substring(1));
    if (found.isMissingNode()) {
      throw new IllegalStateException(FILE + " has no " + reference.asString());
    }
    return found;
  }
}
