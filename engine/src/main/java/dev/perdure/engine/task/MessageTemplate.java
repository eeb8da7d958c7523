// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a message that stays the same when the failure happens again: whatever may differ
 * becomes a placeholder. Messages come from anywhere, so only their beginning is read, and no
 * pattern can be slower than linear in it.
 */
final class MessageTemplate {

  private static final int MAX_READ = 2_000;

  private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}]++");
  private static final Pattern URL =
      Pattern.compile(
          "(?<![\\w+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?:[^\\s/?#@\"'<>]{0,200}@)?"
              + "(?<host>\\[[^\\]\\s]{0,60}\\]|[^\\s/?#:\"'<>@,;)\\]}]{0,255}+)(?::\\d{1,5}+)?"
              + "(?<path>[/?#][^\\s\"'<>]*+)?");
  private static final Pattern EMAIL =
      Pattern.compile("(?<![\\w.+-])[\\w.+-]++@[\\w-]++(?:\\.[\\w-]++)++");
  private static final Pattern QUOTED =
      Pattern.compile("\"[^\"]*+\"|`[^`]*+`|“[^”]*+”|«[^»]*+»|(?<!\\w)'[^']*+'(?!\\w)");
  private static final Pattern UUID =
      Pattern.compile(
          "(?<![0-9A-Za-z])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}"
              + "-[0-9a-fA-F]{12}(?![0-9A-Za-z])");
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?<![\\w.:])(?:\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.]*\\.\\d)"
              + "|\\[?(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}\\]?"
              + "|\\[?(?:[0-9a-fA-F]{1,4}:){1,6}(?::[0-9a-fA-F]{1,4}){1,6}\\]?"
              + "|\\[?::(?:[0-9a-fA-F]{1,4}:){0,6}[0-9a-fA-F]{1,4}\\]?)(?::\\d{1,5})?+(?!\\w)");
  private static final Pattern TOKEN =
      Pattern.compile("(?<![\\w-])(?=[A-Za-z_-]*+\\d)(?=[\\d_-]*+[A-Za-z])[\\w-]{16,}+");
  private static final Pattern HEX =
      Pattern.compile(
          "(?<!\\w)(?:0[xX][0-9a-fA-F]++|(?=[a-fA-F]*+\\d)[0-9a-fA-F]{8,}+)(?!\\w)"
              + "|(?<=@)[0-9a-f]{4,16}+(?!\\w)");

  /** Numbers, except for a status after a word that says so. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "(?<status>(?<=HTTP |status )[1-5]\\d\\d(?![\\w.,]\\w|\\w))|(?<!\\w)\\d++(?:[.,:]\\d++)*+|(?<=[A-Za-z_])\\d{2,}+|\\d{3,}+");

  private static final String TRAILING = ".,:;!)]}";

  private MessageTemplate() {}

  /**
   * Returns the message with placeholders.
   *
   * @param status an HTTP status, which stays readable
   */
  static String of(String message, int status, int max) {
    boolean truncated = message.length() > MAX_READ;
    String text = SPACE.matcher(cut(message, MAX_READ)).replaceAll(" ").strip();
    text = URL.matcher(text).replaceAll(MessageTemplate::host);
    text = EMAIL.matcher(text).replaceAll("‹email›");
    text = QUOTED.matcher(text).replaceAll("‹text›");
    if (truncated) {
      text = withoutOpenQuote(text);
    }
    text = UUID.matcher(text).replaceAll("‹id›");
    text = ADDRESS.matcher(text).replaceAll("‹address›");
    text = HEX.matcher(text).replaceAll("‹n›");
    text = TOKEN.matcher(text).replaceAll("‹id›");
    String known = Integer.toString(status);
    text = NUMBER.matcher(text).replaceAll(found -> number(found, known));
    return cut(text, max);
  }

  private static String number(MatchResult found, String known) {
    String number = found.group();
    return found.group("status") != null || number.equals(known) ? number : "‹n›";
  }

  /** A quotation that is cut off has no end; where it is cut off depends on what it quotes. */
  private static String withoutOpenQuote(String text) {
    int open = text.indexOf('"');
    return open < 0 ? text : text.substring(0, open) + "‹text›";
  }

  /** The host of a URL, followed by the punctuation that only looks like part of it. */
  private static String host(MatchResult url) {
    String all = url.group();
    int end = all.length();
    while (end > 0 && TRAILING.indexOf(all.charAt(end - 1)) >= 0) {
      end--;
    }
    String host = url.group("host");
    boolean numeric = host.isEmpty() || host.startsWith("[") || host.matches("[\\d.]++");
    String shown = numeric ? "‹address›" : host;
    while (!numeric
        && !shown.isEmpty()
        && TRAILING.indexOf(shown.charAt(shown.length() - 1)) >= 0) {
      shown = shown.substring(0, shown.length() - 1);
    }
    return Matcher.quoteReplacement(shown + all.substring(end));
  }

  /** At most this many characters, without splitting one that has two. */
  static String cut(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
  }
}
