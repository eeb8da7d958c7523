// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a webhook asks of its callee. */
public enum Verb {
  GET,
  POST,
  PUT,
  PATCH,
  DELETE;

  /** The word for it in JSON, such as {@code Post}. */
  public String text() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }

  /** The verb of this word, in any case. */
  public static Optional<Verb> of(String text) {
    return Stream.of(values()).filter(verb -> verb.text().equalsIgnoreCase(text)).findFirst();
  }

  /** A body with a Get means nothing to anybody and is dropped on the way. */
  public boolean takesBody() {
    return this != GET;
  }
}
