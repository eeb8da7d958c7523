// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

/** The meaning of a piece of text, which chooses its color. */
public enum AnsiStyle {
  PLAIN(""),
  STRONG("1"),
  FAINT("2"),
  ACCENT("36"),
  GOOD("32"),
  WARNING("33"),
  BAD("31");

  private final String code;

  AnsiStyle(String code) {
    this.code = code;
  }

  String paint(String text) {
    return code.isEmpty() || text.isEmpty() ? text : "\u001B[" + code + "m" + text + "\u001B[0m";
  }
}
