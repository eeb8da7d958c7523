// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.util.regex.Pattern;

/**
 * Text that somebody else wrote, made fit for a terminal: a code or a class name in a policy must
 * not move the cursor, change colours or turn the direction of writing.
 */
public final class TerminalSafe {

  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private TerminalSafe() {}

  /** Its text in one line. */
  public static String oneLine(Object value) {
    return UNPRINTABLE.matcher(String.valueOf(value)).replaceAll("?");
  }
}
