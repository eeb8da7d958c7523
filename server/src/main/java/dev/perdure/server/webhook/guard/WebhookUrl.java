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
 * The URL of a webhook. It is parsed once, here, and only its parts are used afterwards, so that no
 * second parser can see another host in it.
 *
 * @param host in lower case; an IPv6 address has no brackets
 * @param target the path and the query, as they are sent
 */
public record WebhookUrl(boolean secure, String host, int port, String target) {

  private static final String INVALID_V6 = "has brackets without a valid IPv6 address";
  private static final int MAX_LENGTH = 2_048;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final int MAX_PORT = 65_535;
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)");
  private static final Pattern PARTS = Pattern.compile("//([^/?#]*)([^#]*)(#.*)?");
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:\\[([^\\]]*)\\]|([^:\\[\\]]*))(?::(\\d{0,5}))?");

  /** The path and query characters of RFC 3986, and brackets, which browsers send unencoded. */
  private static final Pattern TARGET =
      Pattern.compile("/[A-Za-z0-9._~!$&'()*+,;=:@/?\\[\\]|^{}%-]*");

  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  public WebhookUrl {
    if (host.contains(":")) {
      require(IpParser.parseV6(host).isPresent(), INVALID_V6);
    } else {
      HostValidator.problemOf(host).ifPresent(problem -> require(false, problem));
    }
    require(port > 0 && port <= MAX_PORT, "has a port that is not between 1 and 65535");
    boolean plain = TARGET.matcher(target).matches() && !BROKEN_ESCAPE.matcher(target).find();
    require(plain, "has characters that must be percent-encoded");
  }

  /**
   * Parses a URL.
   *
   * @throws IllegalArgumentException when a webhook cannot be sent to it; the message does not
   *     repeat the URL, which may contain a secret
   */
  public static WebhookUrl parse(String text) {
    require(text.length() <= MAX_LENGTH, "must have at most %d characters".formatted(MAX_LENGTH));
    Matcher scheme = SCHEME.matcher(text);
    require(scheme.matches(), "is not a URL: write it as https://example.com/path");
    String protocol = scheme.group(1).toLowerCase(Locale.ROOT);
    require(
        protocol.equals("http") || protocol.equals("https"), "must begin with http:// or https://");
    Matcher parts = PARTS.matcher(scheme.group(2));
    require(parts.matches(), "is not a URL: write it as https://example.com/path");
    require(parts.group(3) == null, "has a fragment (#…), which is never sent: leave it out");
    String authority = parts.group(1);
    require(!authority.contains("@"), "has a user name or password: send them in a header");
    return of(protocol.equals("https"), authority, parts.group(2));
  }

  private static WebhookUrl of(boolean secure, String authority, String rest) {
    Matcher matcher = AUTHORITY.matcher(authority);
    require(matcher.matches(), "must have a host, and optionally a port, between // and the path");
    String bracketed = matcher.group(1);
    require(bracketed == null || bracketed.contains(":"), INVALID_V6);
    String host = bracketed == null ? matcher.group(2) : bracketed;
    String digits = matcher.group(3);
    boolean noPort = digits == null || digits.isEmpty();
    int port = noPort ? defaultPort(secure) : Integer.parseInt(digits);
    String target = rest.startsWith("/") ? rest : "/" + rest;
    return new WebhookUrl(secure, host.toLowerCase(Locale.ROOT), port, target);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /** The address, when the host is an address. */
  public Optional<IpAddress> literalAddress() {
    return IpParser.parse(host);
  }

  /** Host and port as in the {@code Host} header. */
  public String authority() {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return port == defaultPort(secure) ? name : name + ":" + port;
  }

  private static int defaultPort(boolean secure) {
    return secure ? HTTPS : HTTP;
  }

  /** This URL with one more query parameter. */
  public WebhookUrl withQueryParameter(String parameter, String value) {
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    String separator = !target.contains("?") ? "?" : target.endsWith("?") ? "" : "&";
    return new WebhookUrl(secure, host, port, target + separator + parameter + "=" + encoded);
  }

  /** The URL without its possible secrets. */
  @Override
  public String toString() {
    return Redaction.url((secure ? "https://" : "http://") + authority() + target);
  }
}
