// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody probably meant to write. */
public final class NearestName {

  private static final int LONGEST_WORD = 64;

  private NearestName() {}

  /** The known name nearest to the word, when it is near enough to be a slip of the hand. */
  public static Optional<String> to(String word, Collection<String> known) {
    if (word.length() > LONGEST_WORD) {
      return Optional.empty();
    }
    String nearest = null;
    int least = Math.max(1, word.length() / 3) + 1;
    for (String candidate : known) {
      int distance = distance(plain(word), plain(candidate));
      if (distance < least) {
        least = distance;
        nearest = candidate;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** {@code "; did you mean 'x'?"}, or nothing when no known name is near. */
  public static String hint(String word, Collection<String> known) {
    return to(word, known).map("; did you mean '%s'?"::formatted).orElse("");
  }

  /** Case and word breaks are no difference: {@code maxRetries} is {@code max_retries}. */
  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
  }

  /** Insertions, deletions and replacements that turn one word into the other. */
  private static int distance(String from, String to) {
    int[] before = new int[to.length() + 1];
    Arrays.setAll(before, i -> i);
    for (int i = 1; i <= from.length(); i++) {
      int[] here = new int[to.length() + 1];
      here[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = before[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        here[j] = Math.min(replaced, 1 + Math.min(before[j], here[j - 1]));
      }
      before = here;
    }
    return before[to.length()];
  }
}
