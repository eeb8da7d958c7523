// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

/**
 * How much room text takes on a terminal: ideographs and emoji two columns, marks that stand on the
 * letter before them none, everything else one.
 */
final class DisplayWidth {

  /** First and last of what is wide, beside emoji: Hangul, ideographs, kana, full-width forms. */
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

  /** As much of its beginning as fits. */
  static String truncate(String text, int columns) {
    int used = 0;
    int end = 0;
    while (end < text.length()) {
      int letter = text.codePointAt(end);
      used += of(letter);
      if (used > columns) {
        return text.substring(0, end);
      }
      end += Character.charCount(letter);
    }
    return text;
  }

  private static int of(int letter) {
    int type = Character.getType(letter);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    return Character.isEmojiPresentation(letter) || isWide(letter) ? 2 : 1;
  }

  private static boolean isWide(int letter) {
    for (int[] range : WIDE) {
      if (letter >= range[0] && letter <= range[1]) {
        return true;
      }
    }
    return false;
  }
}
