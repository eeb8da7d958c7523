// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One response.
 *
 * @param streaming sends the body in chunks instead; null if {@code body} is the whole body
 * @param clientGoneAction runs if the response does not reach the client; null for nothing
 */
@SuppressWarnings("ArrayRecordComponent") // Responses are never compared.
public record Response(
    int status,
    Map<String, String> headers,
    byte[] body,
    @Nullable StreamingBody streaming,
    @Nullable Runnable clientGoneAction) {

  static final String CONTENT_TYPE = "Content-Type";

  public Response {
    headers = Map.copyOf(headers);
  }

  public Response(int status, Map<String, String> headers, byte[] body) {
    this(status, headers, body, null, null);
  }

  /** A response of this media type whose body is sent in chunks. */
  public static Response streaming(String type, StreamingBody body) {
    return new Response(HttpStatus.OK, Map.of(CONTENT_TYPE, type), new byte[0], body, null);
  }

  /** A JSON response. */
  public static Response json(int status, JsonNode body) {
    return text(status, "application/json", body.toString() + "\n");
  }

  public static Response ok(JsonNode body) {
    return json(HttpStatus.OK, body);
  }

  public static Response noContent() {
    return new Response(HttpStatus.NO_CONTENT, Map.of(), new byte[0]);
  }

  /** A response of this media type. */
  public static Response text(int status, String type, String body) {
    return new Response(status, Map.of(CONTENT_TYPE, type), body.getBytes(StandardCharsets.UTF_8));
  }

  public boolean isJson() {
    return "application/json".equals(headers.get(CONTENT_TYPE));
  }

  /** A copy with this body instead. */
  Response withBody(byte[] value) {
    return new Response(status, headers, value, streaming, clientGoneAction);
  }

  public Response withHeader(String name, String value) {
    return withHeader(Map.of(name, value));
  }

  Response withHeader(Map<String, String> more) {
    return new Response(status, merged(headers, more), body, streaming, clientGoneAction);
  }

  /** A copy with these headers, except those that the response already has. */
  Response withDefaultHeaders(Map<String, String> defaults) {
    return new Response(status, merged(defaults, headers), body, streaming, clientGoneAction);
  }

  private static Map<String, String> merged(Map<String, String> some, Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(some);
    all.putAll(more);
    return all;
  }

  /** A copy that runs this action, on a thread that may block, if it does not reach the client. */
  public Response onClientGone(Runnable action) {
    return new Response(status, headers, body, streaming, action);
  }
}
