// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import dev.perdure.server.api.reference.OpenApi.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The API reference as one HTML page, without scripts or external resources. */
final class ReferencePage {

  private static final String STYLE = resource("reference.css");
  private static final String SCHEMAS = "#/components/schemas/";

  private static final int MAX_LINE = 80;

  /** Stands for the host and port, which depend on how the browser reaches the server. */
  private static final String SERVER = "{server}";

  private final OpenApi api;
  private final Html html = new Html();

  ReferencePage(OpenApi api) {
    this.api = api;
  }

  /** The hash with which the Content-Security-Policy allows the page's own style and no other. */
  static String styleHash() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(STYLE.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String resource(String name) {
    try (InputStream file = ReferencePage.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is missing from the jar");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The page for a browser that has reached the server at this host and port. */
  static String forServer(String page, String hostAndPort) {
    return page.replace(SERVER, Html.escaped(hostAndPort));
  }

  String html() {
    JsonNode info = api.document().path("info");
    html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .raw("<meta name=\"color-scheme\" content=\"light dark\">")
        .element("title", info.path("title").asString() + ": HTTP API")
        .raw("<style>" + STYLE + "</style></head><body>");
    contents();
    html.raw("<main>").element("h1", info.path("title").asString() + " HTTP API").raw("<p>");
    html.prose(info.path("description").asString())
        .raw("</p><p class=\"source\"><a href=\"/openapi.json\">openapi.json</a></p>");
    api.document().path("tags").forEach(this::tag);
    schemas();
    return html.raw("</main></body></html>").toString();
  }

  private void contents() {
    html.raw("<nav aria-label=\"Contents\">");
    for (JsonNode tag : api.document().path("tags")) {
      String name = tag.path("name").asString();
      html.element("h2", name).raw("<ul>");
      for (Operation operation : of(name)) {
        html.raw("<li><a href=\"#" + operation.id() + "\">");
        method(operation).text(operation.path()).raw("</a></li>");
      }
      html.raw("</ul>");
    }
    html.raw("</nav>");
  }

  private Html method(Operation operation) {
    String method = operation.method();
    return html.element("span", "method " + operation.method().toLowerCase(Locale.ROOT), method)
        .raw(" ");
  }

  private List<Operation> of(String tag) {
    return api.operations().stream()
        .filter(operation -> operation.json().path("tags").path(0).asString().equals(tag))
        .toList();
  }

  private void tag(JsonNode tag) {
    html.raw("<section>").element("h2", tag.path("name").asString()).raw("<p>");
    html.prose(tag.path("description").asString()).raw("</p>");
    of(tag.path("name").asString()).forEach(this::operation);
    html.raw("</section>");
  }

  private void operation(Operation operation) {
    JsonNode description = operation.json();
    html.raw("<article id=\"" + operation.id() + "\">").raw("<h3>");
    method(operation).element("code", operation.path());
    html.element("span", "role", roleText(operation)).raw("</h3><p class=\"summary\">");
    html.prose(description.path("summary").asString()).raw("</p>");
    if (description.has("description")) {
      html.raw("<p>").prose(description.path("description").asString()).raw("</p>");
    }
    parameters(operation);
    body(operation);
    responses(description.path("responses"));
    html.raw("</article>");
  }

  private static String roleText(Operation operation) {
    return operation.role().equals("none") ? "no key needed" : "role " + operation.role();
  }

  private void parameters(Operation operation) {
    if (operation.parameters().isEmpty()) {
      return;
    }
    html.element("h4", "Parameters").raw("<table><tbody>");
    for (JsonNode parameter : operation.parameters()) {
      String place = "in the " + parameter.path("in").asString();
      html.raw("<tr><td>").element("code", parameter.path("name").asString()).raw("</td><td>");
      type(parameter.path("schema"));
      html.raw("</td><td>").prose(parameter.path("description").asString(place)).raw("</td></tr>");
    }
    html.raw("</tbody></table>");
  }

  private void body(Operation operation) {
    JsonNode content =
        operation.json().path("requestBody").path("content").path("application/json");
    if (content.isMissingNode()) {
      return;
    }
    html.element("h4", "Body").raw("<p>");
    type(content.path("schema"));
    html.raw("</p>");
    JsonNode schema = api.resolve(content.path("schema"));
    if (!content.path("schema").has("$ref")) {
      fields(schema);
    }
    if (content.has("example")) {
      html.element("pre", example(operation, content.path("example")));
    }
  }

  private static String example(Operation operation, JsonNode body) {
    String method = operation.method().equals("POST") ? "" : " -X " + operation.method();
    return "curl%s %s%s -H 'Content-Type: application/json' \\\n  -d '%s'"
        .formatted(method, SERVER, operation.path().replace("{id}", "$ID"), body);
  }

  private void responses(JsonNode responses) {
    html.element("h4", "Responses").raw("<table><tbody>");
    responses
        .propertyStream()
        .forEach(
            response -> {
              JsonNode resolved = api.resolve(response.getValue());
              html.raw("<tr><td>").element("code", response.getKey()).raw("</td><td>");
              html.prose(resolved.path("description").asString()).raw("</td><td>");
              resolved.path("content").forEach(content -> type(content.path("schema")));
              html.raw("</td></tr>");
            });
    html.raw("</tbody></table>");
  }

  private void schemas() {
    html.raw("<section>").element("h2", "Schemas");
    api.document()
        .path("components")
        .path("schemas")
        .propertyStream()
        .forEach(
            schema -> {
              html.raw("<article id=\"" + schema.getKey() + "\">").element("h3", schema.getKey());
              html.raw("<p>").prose(schema.getValue().path("description").asString("")).raw("</p>");
              parts(schema.getValue().path("allOf"));
              alternatives(schema.getValue().path("oneOf"));
              fields(schema.getValue());
              schema.getValue().path("examples").forEach(this::example);
              html.raw("</article>");
            });
    html.raw("</section>");
  }

  private void example(JsonNode json) {
    String oneLine = json.toString();
    html.element("pre", oneLine.length() <= MAX_LINE ? oneLine : json.toPrettyString());
  }

  /** The forms of which a value has one. */
  private void alternatives(JsonNode forms) {
    for (JsonNode form : forms) {
      if (form.has("type") || form.has("$ref")) {
        html.raw("<p class=\"form\">");
        formName(form);
        html.raw("</p><p>").prose(api.resolve(form).path("description").asString("")).raw("</p>");
        fields(form);
      }
    }
  }

  /** The name of a schema, or the value of {@code type} that tells an object from others. */
  private void formName(JsonNode form) {
    JsonNode types = form.path("properties").path("type").path("enum");
    if (types.isMissingNode()) {
      type(form);
    } else {
      html.text(words(types));
    }
  }

  /** The schemas that this one includes. */
  private void parts(JsonNode parts) {
    String before = "<p>Includes the fields of ";
    for (JsonNode part : parts) {
      html.raw(before);
      type(part);
      before = " and ";
    }
    html.raw(parts.isEmpty() ? "" : "</p>");
  }

  private void fields(JsonNode schema) {
    JsonNode properties = schema.path("properties");
    if (properties.isEmpty()) {
      if (schema.has("enum")) {
        html.raw("<p>").text(words(schema.path("enum"))).raw("</p>");
      }
      return;
    }
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.asString()));
    html.raw("<table><tbody>");
    properties
        .propertyStream()
        .forEach(
            field -> {
              html.raw("<tr><td>").element("code", field.getKey());
              html.raw(required.contains(field.getKey()) ? "<b title=\"required\">*</b>" : "");
              html.raw("</td><td>");
              type(field.getValue());
              html.raw("</td><td>").prose(field.getValue().path("description").asString(""));
              html.raw("</td></tr>");
            });
    html.raw("</tbody></table>");
  }

  /** The type in a few words; named schemas are links. */
  private void type(JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    if (reference.startsWith(SCHEMAS)) {
      String name = reference.substring(SCHEMAS.length());
      html.raw("<a href=\"#" + name + "\">").text(name).raw("</a>");
    } else if (schema.has("oneOf")) {
      String or = "";
      for (JsonNode each : schema.path("oneOf")) {
        html.text(or);
        type(each);
        or = " or ";
      }
    } else if (schema.path("type").asString("").equals("array")) {
      html.text("array of ");
      type(schema.path("items"));
    } else if (schema.has("enum")) {
      html.text(words(schema.path("enum")));
    } else {
      html.text(plain(schema));
    }
  }

  private static String plain(JsonNode schema) {
    JsonNode type = schema.path("type");
    String word = type.isArray() ? words(type) : type.asString("any JSON");
    return schema.has("format") ? word + ", " + schema.path("format").asString() : word;
  }

  private static String words(JsonNode array) {
    return array.valueStream().map(JsonNode::asString).collect(Collectors.joining(" | "));
  }
}
