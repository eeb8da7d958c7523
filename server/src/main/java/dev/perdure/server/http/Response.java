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
 * @param feed what sends the body instead, piece by piece; null when the body is all
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares answers.
public record Response(int status, Map<String, String> headers, byte[] body, @Nullable Feed feed) {

  static final String CONTENT_TYPE = "Content-Type";

  public Response {
    headers = Map.copyOf(headers);
  }

  public Response(int status, Map<String, String> headers, byte[] body) {
    this(status, headers, body, null);
  }

  /** An answer of this media type that goes on. */
  public static Response feed(String type, Feed feed) {
    return new Response(Status.OK, Map.of(CONTENT_TYPE, type), new byte[0], feed);
  }

  /** An answer in JSON. */
  public static Response json(int status, JsonNode body) {
    return text(status, "application/json", body.toString() + "\n");
  }

  public static Response ok(JsonNode body) {
    return json(Status.OK, body);
  }

  /** An answer of this media type. */
  public static Response text(int status, String type, String body) {
    return new Response(status, Map.of(CONTENT_TYPE, type), body.getBytes(StandardCharsets.UTF_8));
  }

  public Response with(String name, String value) {
    return with(Map.of(name, value));
  }

  Response with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new Response(status, all, body, feed);
  }
}
