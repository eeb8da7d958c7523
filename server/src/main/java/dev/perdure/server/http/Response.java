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
 * @param lost what is to be done when the answer does not reach the client; null when nothing is
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares answers.
public record Response(
    int status,
    Map<String, String> headers,
    byte[] body,
    @Nullable Feed feed,
    @Nullable Runnable lost) {

  static final String CONTENT_TYPE = "Content-Type";

  public Response {
    headers = Map.copyOf(headers);
  }

  public Response(int status, Map<String, String> headers, byte[] body) {
    this(status, headers, body, null, null);
  }

  /** An answer of this media type that goes on. */
  public static Response feed(String type, Feed feed) {
    return new Response(Status.OK, Map.of(CONTENT_TYPE, type), new byte[0], feed, null);
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
    return new Response(status, joined(headers, more), body, feed, lost);
  }

  /** The same with these headers too, unless it has others of their names. */
  Response over(Map<String, String> usual) {
    return new Response(status, joined(usual, headers), body, feed, lost);
  }

  private static Map<String, String> joined(Map<String, String> some, Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(some);
    all.putAll(more);
    return all;
  }

  /** The same; when it does not reach the client, this is done, on a thread that may block. */
  public Response ifLost(Runnable action) {
    return new Response(status, headers, body, feed, action);
  }
}
