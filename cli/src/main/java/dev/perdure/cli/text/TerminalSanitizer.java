// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.regex.Pattern;

/**
 * Makes untrusted text safe for a terminal: a code or a class name in a policy must not move the
 * cursor, change colors or reverse the writing direction.
 */
public final class TerminalSanitizer {

  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private TerminalSanitizer() {}

  /** The text in one line, with every control character replaced. */
  public static String oneLine(Object value) {
    return UNPRINTABLE.matcher(String.valueOf(value)).replaceAll("?");
  }
}
