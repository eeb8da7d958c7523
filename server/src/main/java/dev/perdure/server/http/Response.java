// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One answer.
 *
 * @param streaming what sends the body instead, piece by piece; null when the body is all
 * @param clientGoneAction what is to be done when the answer does not reach the client; null when
 *     nothing is
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares answers.
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

  /** An answer of this media type that goes on. */
  public static Response streaming(String type, StreamingBody streamingBody) {
    return new Response(
        HttpStatus.OK, Map.of(CONTENT_TYPE, type), new byte[0], streamingBody, null);
  }

  /** An answer in JSON. */
  public static Response json(int status, JsonNode body) {
    return text(status, "application/json", body.toString() + "\n");
  }

  public static Response ok(JsonNode body) {
    return json(HttpStatus.OK, body);
  }

  /** An answer of this media type. */
  public static Response text(int status, String type, String body) {
    return new Response(status, Map.of(CONTENT_TYPE, type), body.getBytes(StandardCharsets.UTF_8));
  }

  public Response withHeader(String name, String value) {
    return withHeader(Map.of(name, value));
  }

  Response withHeader(Map<String, String> more) {
    return new Response(status, merged(headers, more), body, streaming, clientGoneAction);
  }

  /** The same with these headers too, unless it has others of their names. */
  Response withDefaultHeaders(Map<String, String> usual) {
    return new Response(status, merged(usual, headers), body, streaming, clientGoneAction);
  }

  private static Map<String, String> merged(Map<String, String> some, Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(some);
    all.putAll(more);
    return all;
  }

  /** The same; when it does not reach the client, this is done, on a thread that may block. */
  public Response onClientGone(Runnable action) {
    return new Response(status, headers, body, streaming, action);
  }
}
