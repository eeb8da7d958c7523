// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a misspelled word probably means. */
public final class NameSuggestion {

  private static final int MAX_WORD_LENGTH = 64;

  private NameSuggestion() {}

  /** Returns the known name nearest to the word, if it is close enough to be a typo. */
  public static Optional<String> to(String word, Collection<String> known) {
    if (word.length() > MAX_WORD_LENGTH) {
      return Optional.empty();
    }
    String nearest = null;
    int shortest = Math.max(1, word.length() / 3) + 1;
    for (String candidate : known) {
      int distance = distance(normalize(word), normalize(candidate));
      if (distance < shortest) {
        shortest = distance;
        nearest = candidate;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Returns {@code "; did you mean 'x'?"}, or an empty string if no known name is close. */
  public static String hint(String word, Collection<String> known) {
    return to(word, known).map("; did you mean '%s'?"::formatted).orElse("");
  }

  /** Ignores case and word separators: {@code maxRetries} equals {@code max_retries}. */
  private static String normalize(String word) {
    return word.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
  }

  /**
   * Returns the number of letters to add, drop, replace or swap with their neighbour (the
   * Damerau-Levenshtein distance).
   */
  private static int distance(String from, String to) {
    int[][] steps = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        steps[i][j] = i == 0 || j == 0 ? i + j : fewest(steps, from, to, i, j);
      }
    }
    return steps[from.length()][to.length()];
  }

  private static int fewest(int[][] steps, String from, String to, int i, int j) {
    boolean same = from.charAt(i - 1) == to.charAt(j - 1);
    int replaced = steps[i - 1][j - 1] + (same ? 0 : 1);
    int fewest = Math.min(replaced, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(fewest, steps[i - 2][j - 2] + 1) : fewest;
  }
}
