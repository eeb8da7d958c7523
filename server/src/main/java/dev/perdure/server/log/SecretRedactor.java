// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import dev.perdure.server.webhook.handle.Redaction;
import java.util.regex.Pattern;

/**
 * Takes out of a line what looks like a secret. Nobody should log one; this is for messages that
 * others wrote, such as a driver that quotes the URL it was given.
 */
final class SecretRedactor {

  private static final String MASK = "…";
  private static final Pattern USER = Pattern.compile("(?<=://)[^/?#\\s]{1,1000}@");
  private static final Pattern NAMED =
      Pattern.compile(
          "(?i)\\b((?:ssl)?password|passwd|secret|api[_-]?key)([\"']?\\s*[=:]\\s*[\"']?)"
              + "[^\\s&\"',;]+");
  private static final Pattern BEARER = Pattern.compile("(?i)\\b(bearer|basic)\\s+[\\w.~+/=-]{8,}");

  private SecretRedactor() {}

  static String redact(String text) {
    String plain = USER.matcher(Redaction.tokens(text)).replaceAll(MASK + "@");
    plain = BEARER.matcher(plain).replaceAll("$1 " + MASK);
    return NAMED.matcher(plain).replaceAll("$1$2" + MASK);
  }
}
