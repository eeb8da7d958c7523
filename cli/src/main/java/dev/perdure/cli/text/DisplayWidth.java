// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

/**
 * The number of terminal columns that a text takes: two for ideographs and emoji, none for
 * combining marks, one for everything else.
 */
final class DisplayWidth {

  /** The ranges of wide characters other than emoji: Hangul, ideographs, kana, full-width forms. */
  private static final int[][] WIDE = {
    {0x1100, 0x115F},
    {0x2E80, 0x303E},
    {0x3041, 0xA4CF},
    {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},
    {0x20000, 0x3FFFD}
  };

  private DisplayWidth() {}

  static int of(String text) {
    return text.codePoints().map(DisplayWidth::of).sum();
  }

  /** The longest prefix that fits. */
  static String truncate(String text, int columns) {
    int used = 0;
    int end = 0;
    while (end < text.length()) {
      int character = text.codePointAt(end);
      used += of(character);
      if (used > columns) {
        return text.substring(0, end);
      }
      end += Character.charCount(character);
    }
    return text;
  }

  private static int of(int character) {
    int type = Character.getType(character);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    return Character.isEmojiPresentation(character) || isWide(character) ? 2 : 1;
  }

  private static boolean isWide(int character) {
    for (int[] range : WIDE) {
      if (character >= range[0] && character <= range[1]) {
        return true;
      }
    }
    return false;
  }
}
