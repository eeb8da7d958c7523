// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A request with arbitrary, possibly invalid content.
 *
 * @param query by name, not encoded
 * @param isHttp false when the framing is broken, so that the server may close the connection
 *     without a response
 */
@SuppressWarnings("ArrayRecordComponent") // Requests are never compared.
record RawRequest(
    String method,
    String path,
    Map<String, String> query,
    List<String> headers,
    byte[] body,
    boolean isHttp) {

  static final String JSON = "Content-Type: application/json";

  RawRequest withMethod(String value) {
    return new RawRequest(value, path, query, headers, body, isHttp);
  }

  RawRequest withPath(String value) {
    return new RawRequest(method, value, query, headers, body, isHttp);
  }

  RawRequest withQuery(Map<String, String> value) {
    return new RawRequest(method, path, value, headers, body, isHttp);
  }

  RawRequest withHeader(String value) {
    List<String> all = new ArrayList<>(headers);
    all.add(value);
    return new RawRequest(method, path, query, all, body, isHttp);
  }

  RawRequest withoutHeader(String beginning) {
    return new RawRequest(
        method,
        path,
        query,
        headers.stream().filter(header -> !header.startsWith(beginning)).toList(),
        body,
        isHttp);
  }

  RawRequest withBody(byte[] value) {
    return new RawRequest(method, path, query, headers, value, isHttp);
  }

  RawRequest broken() {
    return new RawRequest(method, path, query, headers, body, false);
  }

  /** Path and query. Names and values may contain anything that does not end the line. */
  String target() {
    String text =
        query.entrySet().stream()
            .map(pair -> pair.getKey() + "=" + pair.getValue())
            .collect(Collectors.joining("&"));
    return text.isEmpty() ? path : path + "?" + text;
  }

  byte[] bytes(int port) {
    boolean hasHost = headers.stream().anyMatch(header -> header.startsWith("Host:"));
    boolean hasLength =
        headers.stream()
            .anyMatch(header -> header.startsWith("Content-L") || header.startsWith("Transfer-E"));
    String head =
        Stream.of(
                Stream.of(method + " " + target() + " HTTP/1.1"),
                hasHost ? Stream.<String>of() : Stream.of("Host: 127.0.0.1:" + port),
                headers.stream(),
                hasLength || body.length == 0
                    ? Stream.<String>of()
                    : Stream.of("Content-Length: " + body.length),
                Stream.of("Connection: close", "", ""))
            .flatMap(lines -> lines)
            .collect(Collectors.joining("\r\n"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(body);
    return bytes.toByteArray();
  }

  /** Shows enough to reproduce the request. */
  @Override
  public String toString() {
    String text = new String(body, StandardCharsets.UTF_8);
    return "%s %s %s %s"
        .formatted(method, target(), headers, text.substring(0, Math.min(2_000, text.length())));
  }
}
