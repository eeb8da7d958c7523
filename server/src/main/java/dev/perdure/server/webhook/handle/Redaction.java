// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.handle;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes secrets from texts that people will see. */
public final class Redaction {

  private static final String HIDDEN = "…";

  /** A handle token. URL encoding changes none of its characters, so this finds it at any depth. */
  private static final Pattern TOKEN =
      Pattern.compile("(ph1\\.[a-z0-9]{1,16}\\.\\d{1,18})\\.[A-Za-z0-9_-]{1,86}");

  /** An API key, for which the same is true. */
  private static final Pattern KEY = Pattern.compile("(pk_[a-z0-9]{1,32})_[A-Za-z0-9_-]{1,86}");

  private static final Pattern USER = Pattern.compile("(?<=://)[^/?#\\s]*@");

  private static final Pattern PATH = Pattern.compile("(?<=://)([^/?#]*)(/[^?#]*)");
  private static final Pattern SEGMENT = Pattern.compile("[^/]+");

  /**
   * A path segment that a person wrote: words, or a version. A segment that has digits, is long or
   * mixes upper and lower case at random may be a token: Slack, Discord and Telegram put tokens
   * into their paths.
   */
  private static final Pattern PLAIN_WORD =
      Pattern.compile(
          "v\\d{1,2}|(?=.{1,24}$)[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*(?:[._-][A-Z]?[a-z]+)*");

  private static final Pattern REST = Pattern.compile("([?#]).*", Pattern.DOTALL);

  private Redaction() {}

  /**
   * Hides the secret part of every handle and every API key. The id that remains says which one it
   * was.
   */
  public static String tokens(String text) {
    String withoutProofs = TOKEN.matcher(text).replaceAll("$1." + HIDDEN);
    return KEY.matcher(withoutProofs).replaceAll("$1_" + HIDDEN);
  }

  /**
   * Hides the user, the query, the fragment and every path segment that is not a plain word: each
   * of them may be secret.
   */
  public static String url(String url) {
    String plain = REST.matcher(url).replaceFirst("$1" + HIDDEN);
    String anonymous = USER.matcher(plain).replaceAll(HIDDEN + "@");
    return tokens(
        PATH.matcher(anonymous)
            .replaceFirst(
                found ->
                    Matcher.quoteReplacement(found.group(1) + keepPlainWords(found.group(2)))));
  }

  private static String keepPlainWords(String path) {
    return SEGMENT
        .matcher(path)
        .replaceAll(
            found ->
                PLAIN_WORD.matcher(found.group()).matches()
                    ? Matcher.quoteReplacement(found.group())
                    : HIDDEN);
  }
}
