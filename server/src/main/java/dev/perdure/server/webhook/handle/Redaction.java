// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.handle;

import java.util.regex.Pattern;

/** Takes secrets out of what is going to be logged. */
public final class Redaction {

  private static final String HIDDEN = "…";

  /**
   * A token has only characters that no encoding of URLs changes, so this finds it in any depth.
   */
  private static final Pattern TOKEN =
      Pattern.compile("(ph1\\.[a-z0-9]{1,16}\\.\\d{1,18})\\.[A-Za-z0-9_-]{1,86}");

  private static final Pattern USER = Pattern.compile("(?<=://)[^/?#\\s@]*@");

  private static final Pattern REST = Pattern.compile("([?#]).*", Pattern.DOTALL);

  private Redaction() {}

  /** The same text with every handle's proof taken out; which key and epoch stays to be read. */
  public static String tokens(String text) {
    return TOKEN.matcher(text).replaceAll("$1." + HIDDEN);
  }

  /** A URL without its user, its query and its fragment, any of which may be secret. */
  public static String url(String url) {
    String plain = USER.matcher(url).replaceAll(HIDDEN + "@");
    return tokens(REST.matcher(plain).replaceFirst("$1" + HIDDEN));
  }
}
