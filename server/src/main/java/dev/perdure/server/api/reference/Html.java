// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

/** Builds HTML and escapes all text. */
final class Html {

  private final StringBuilder out = new StringBuilder();

  /** Appends markup without escaping it. */
  Html raw(String markup) {
    out.append(markup);
    return this;
  }

  Html text(String text) {
    out.append(escaped(text));
    return this;
  }

  Html element(String tag, String text) {
    return raw("<" + tag + ">").text(text).raw("</" + tag + ">");
  }

  Html element(String tag, String styleClass, String text) {
    return raw("<" + tag + " class=\"" + styleClass + "\">").text(text).raw("</" + tag + ">");
  }

  /** Appends text in which {@code `words`} become code elements. */
  Html prose(String text) {
    String[] parts = text.split("`", -1);
    for (int i = 0; i < parts.length; i++) {
      if (i % 2 == 1 && i < parts.length - 1) {
        element("code", parts[i]);
      } else {
        text(parts[i]);
      }
    }
    return this;
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
