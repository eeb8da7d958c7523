// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import dev.perdure.server.redact.Redaction;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a webhook goes. It is taken apart once, here, and only the parts are used from then on: no
 * second reader can see another host in it.
 *
 * @param host in lower case; an IPv6 address without its brackets
 * @param target the path and the query, as they are sent
 */
public record WebhookUrl(boolean secure, String host, int port, String target) {

  private static final String NO_V6 = "has brackets without a plain IPv6 address";
  private static final int MAX_LENGTH = 2_048;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final int MAX_PORT = 65_535;
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)");
  private static final Pattern PARTS = Pattern.compile("//([^/?#]*)([^#]*)(#.*)?");
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:\\[([^\\]]*)\\]|([^:\\[\\]]*))(?::(\\d{0,5}))?");

  /** What may stand in a path or a query: RFC 3986, and brackets that browsers send as they are. */
  private static final Pattern TARGET =
      Pattern.compile("/[A-Za-z0-9._~!$&'()*+,;=:@/?\\[\\]|^{}%-]*");

  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  public WebhookUrl {
    if (host.contains(":")) {
      require(IpParser.parseV6(host).isPresent(), NO_V6);
    } else {
      HostValidator.problemOf(host).ifPresent(problem -> require(false, problem));
    }
    require(port > 0 && port <= MAX_PORT, "has a port that is not within 1 and 65535");
    boolean plain = TARGET.matcher(target).matches() && !BROKEN_ESCAPE.matcher(target).find();
    require(plain, "has characters that must be %-encoded");
  }

  /**
   * The URL of this text.
   *
   * @throws IllegalArgumentException when it is none that a webhook can go to; the message says why
   *     without repeating it, since it may hold a secret
   */
  public static WebhookUrl parse(String text) {
    require(text.length() <= MAX_LENGTH, "has more than %d characters".formatted(MAX_LENGTH));
    Matcher scheme = SCHEME.matcher(text);
    require(scheme.matches(), "is not a URL: write it as https://example.com/path");
    String protocol = scheme.group(1).toLowerCase(Locale.ROOT);
    require(protocol.equals("http") || protocol.equals("https"), "must begin with http or https");
    Matcher parts = PARTS.matcher(scheme.group(2));
    require(parts.matches(), "is not a URL: write it as https://example.com/path");
    require(parts.group(3) == null, "has a fragment (#…), which is never sent: leave it out");
    String authority = parts.group(1);
    require(!authority.contains("@"), "has a user or a password: send them in a header");
    return of(protocol.equals("https"), authority, parts.group(2));
  }

  private static WebhookUrl of(boolean secure, String authority, String rest) {
    Matcher matcher = AUTHORITY.matcher(authority);
    require(matcher.matches(), "must have a host and at most a port between // and the path");
    String bracketed = matcher.group(1);
    require(bracketed == null || bracketed.contains(":"), NO_V6);
    String host = bracketed == null ? matcher.group(2) : bracketed;
    String digits = matcher.group(3);
    boolean usual = digits == null || digits.isEmpty();
    int port = usual ? defaultPort(secure) : Integer.parseInt(digits);
    String target = rest.startsWith("/") ? rest : "/" + rest;
    return new WebhookUrl(secure, host.toLowerCase(Locale.ROOT), port, target);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /** The address, when the host is one. */
  public Optional<IpAddress> literalAddress() {
    return IpParser.parse(host);
  }

  /** Host and port as the {@code Host} header names them. */
  public String authority() {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return port == defaultPort(secure) ? name : name + ":" + port;
  }

  private static int defaultPort(boolean secure) {
    return secure ? HTTPS : HTTP;
  }

  /** The same with one more parameter in its query. */
  public WebhookUrl withQueryParameter(String parameter, String value) {
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    String joint = !target.contains("?") ? "?" : target.endsWith("?") ? "" : "&";
    return new WebhookUrl(secure, host, port, target + joint + parameter + "=" + encoded);
  }

  /** Where it goes, for people and logs; without what may be secret. */
  @Override
  public String toString() {
    return Redaction.url((secure ? "https://" : "http://") + authority() + target);
  }
}
