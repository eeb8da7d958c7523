// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The HTTP method of a webhook. */
public enum HttpMethod {
  GET,
  POST,
  PUT,
  PATCH,
  DELETE;

  /** The value in JSON, such as {@code Post}. */
  public String text() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }

  /** The verb with this text, ignoring case. */
  public static Optional<HttpMethod> of(String text) {
    return Stream.of(values())
        .filter(httpMethod -> httpMethod.text().equalsIgnoreCase(text))
        .findFirst();
  }

  /** False for GET, whose body has no meaning and which proxies may drop. */
  public boolean takesBody() {
    return this != GET;
  }

  /** False also for DELETE, whose body many servers refuse. */
  public boolean expectsBody() {
    return this != GET && this != DELETE;
  }
}
