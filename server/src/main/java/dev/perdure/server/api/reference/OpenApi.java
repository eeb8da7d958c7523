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

/** The description of the API: read from its one file when somebody first asks. */
public final class OpenApi {

  private static final String FILE = "openapi.yaml";
  private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");

  private final JsonNode document;

  private OpenApi(JsonNode document) {
    this.document = document;
  }

  /**
   * What can be asked of a path.
   *
   * @param json the operation as the document has it
   * @param parameters those of the path and of the operation, resolved
   */
  public record Operation(String method, String path, JsonNode json, List<JsonNode> parameters) {

    public Operation {
      parameters = List.copyOf(parameters);
    }

    /** Its name in the document. */
    public String id() {
      return json.path("operationId").asString();
    }

    /** What a caller must be allowed to do. */
    public String role() {
      return json.path("x-role").asString();
    }
  }

  public static OpenApi load() {
    LoadSettings settings =
        LoadSettings.builder().setLabel(FILE).setAllowDuplicateKeys(false).build();
    try (InputStream file = OpenApi.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException(FILE + " is not in the jar");
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

  /** The part that a reference means; the node itself when it is none. */
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
