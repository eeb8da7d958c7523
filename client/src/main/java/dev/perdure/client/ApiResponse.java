// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.net.URLDecoder;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A successful response as the server sent it. */
public record ApiResponse(HttpHeaders headers, JsonNode json) {

  private static final Pattern NEXT = Pattern.compile("<[^>]*[?&]after=([^&>]+)>; rel=\"next\"");

  /** The cursor of the next page; empty on the last one. */
  public Optional<String> nextCursor() {
    return headers
        .firstValue("Link")
        .map(NEXT::matcher)
        .filter(Matcher::find)
        .map(match -> URLDecoder.decode(match.group(1), StandardCharsets.UTF_8));
  }

  /** The number of matches on all pages; the server stops counting at 10,000. */
  public OptionalLong total() {
    return headers.firstValueAsLong("X-Total-Count");
  }

  /** False when the server stopped counting early, so that {@link #total()} is a lower bound. */
  public boolean isTotalExact() {
    return headers.firstValue("X-Total-Exact").map(Boolean::parseBoolean).orElse(true);
  }

  /** The server's clock when it responded. */
  public Optional<Instant> serverTime() {
    try {
      return headers
          .firstValue("Date")
          .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether the server made the change, but could not read the result afterwards: the body, or each
   * item of it, has nothing but an id. Only for requests that change something.
   */
  public boolean isIdOnly() {
    JsonNode item = json.isArray() ? json.path(0) : json;
    return item.size() == 1 && item.path("id").isString();
  }

  /** This response to a change, unless its result is missing. */
  ApiResponse requireResult() {
    if (isIdOnly()) {
      throw new TransportException(
          TransportException.Reason.RESULT_UNAVAILABLE,
          "the change was made, but the result cannot be read now",
          null);
    }
    return this;
  }

  /**
   * Reads the body, for example with {@code TaskInfo::of}.
   *
   * @throws TransportException when the body is something else
   */
  public <T> T read(Function<JsonNode, T> reader) {
    try {
      return reader.apply(json);
    } catch (IllegalArgumentException
        | DateTimeException
        | NoSuchElementException
        | JacksonException e) {
      throw new TransportException(
          TransportException.Reason.UNEXPECTED_RESPONSE,
          "the response cannot be read: " + e.getMessage(),
          e);
    }
  }

  /** Reads one page of a list. */
  public <T> Page<T> page(Function<JsonNode, T> reader) {
    return new Page<>(
        read(body -> items(body).map(reader).toList()),
        nextCursor().orElse(null),
        orNull(total()),
        orNull(headers.firstValueAsLong("X-Looked-At")),
        read(body -> headers.firstValue("X-Reached").map(Instant::parse)).orElse(null));
  }

  private static @Nullable Long orNull(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }

  private static Stream<JsonNode> items(JsonNode body) {
    if (!body.isArray()) {
      throw new IllegalArgumentException("it is not an array");
    }
    return body.valueStream();
  }

  /** Without headers and body, which may hold secrets. */
  @Override
  public String toString() {
    return "ApiResponse";
  }
}
