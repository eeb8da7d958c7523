// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.redact;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces secrets in text that people will see, such as log lines and shown URLs. */
public final class Redaction {

  private static final String MASK = "…";

  /** A handle; it has only characters that URL encoding keeps, so it is found at any depth. */
  private static final Pattern HANDLE =
      Pattern.compile("(ph1\\.[a-z0-9]{1,16}\\.\\d{1,18})\\.[A-Za-z0-9_-]{1,86}");

  /** An API key, likewise. */
  private static final Pattern API_KEY = Pattern.compile("(pk_[a-z0-9]{1,32})_[A-Za-z0-9_-]{1,86}");

  /** User and password of a URL; the length keeps the search short in long texts. */
  private static final Pattern USER_INFO_IN_TEXT = Pattern.compile("(?<=://)[^/?#\\s]{1,1000}@");

  private static final Pattern NAMED_SECRET =
      Pattern.compile(
          "(?i)\\b((?:ssl)?password|passwd|secret|api[_-]?key)([\"']?\\s*[=:]\\s*[\"']?)"
              + "[^\\s&\"',;]+");
  private static final Pattern AUTHORIZATION =
      Pattern.compile("(?i)\\b(bearer|basic)\\s+[\\w.~+/=-]{8,}");

  private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/?#\\s]*@");
  private static final Pattern PATH = Pattern.compile("(?<=://)([^/?#]*)(/[^?#]*)");
  private static final Pattern SEGMENT = Pattern.compile("[^/]+");
  private static final Pattern QUERY_OR_FRAGMENT = Pattern.compile("([?#]).*", Pattern.DOTALL);

  /**
   * A path segment that a person wrote: words, or a version. Anything with digits, long segments
   * and random upper case may be a token, as in the webhook URLs of Slack, Discord and Telegram.
   */
  private static final Pattern PLAIN_WORD =
      Pattern.compile(
          "v\\d{1,2}|(?=.{1,24}$)[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*(?:[._-][A-Z]?[a-z]+)*");

  private Redaction() {}

  /** Redacts handles and API keys. The part that says which handle or key it was stays readable. */
  public static String tokens(String text) {
    String withoutHandles = HANDLE.matcher(text).replaceAll("$1." + MASK);
    return API_KEY.matcher(withoutHandles).replaceAll("$1_" + MASK);
  }

  /**
   * Redacts everything in free text that looks like a secret: handles, API keys, passwords in URLs,
   * {@code Authorization} values, and values whose name says that they are secret. A driver may
   * quote the URL that it was given, for example.
   */
  public static String text(String text) {
    String redacted = USER_INFO_IN_TEXT.matcher(tokens(text)).replaceAll(MASK + "@");
    redacted = AUTHORIZATION.matcher(redacted).replaceAll("$1 " + MASK);
    return NAMED_SECRET.matcher(redacted).replaceAll("$1$2" + MASK);
  }

  /**
   * Redacts the user, the query, the fragment, and every path segment that is not a plain word: any
   * of them may be a secret.
   */
  public static String url(String url) {
    String plain = QUERY_OR_FRAGMENT.matcher(url).replaceFirst("$1" + MASK);
    String anonymous = USER_INFO.matcher(plain).replaceAll(MASK + "@");
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
                    : MASK);
  }
}
