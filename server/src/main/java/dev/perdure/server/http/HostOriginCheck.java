// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses requests of foreign web pages. A page can be loaded from a name that later resolves to
 * this machine (DNS rebinding), so {@code Host} must be one of our names. A page of another site
 * can send requests here, but its browser says so in {@code Origin} and {@code Sec-Fetch-Site}. It
 * may only link to the pages that people open, which show nothing from the store by themselves.
 */
public final class HostOriginCheck {

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-f:.]{2,45}]|[a-z0-9._-]{1,253})(:\\d{1,5})?");

  /** An IP address needs no resolver, so it cannot be used for DNS rebinding. */
  private static final Pattern ADDRESS = Pattern.compile("\\[.*|\\d{1,3}(\\.\\d{1,3}){3}");

  /** The ports that browsers leave out of {@code Origin}. */
  private static final Map<String, Integer> DEFAULT_PORTS = Map.of("http", 80, "https", 443);

  /** The pages that other sites may link to; the dashboard's are below {@link #DASHBOARD}. */
  private static final Set<String> PAGES = Set.of("/", "/docs", "/ui");

  private static final String DASHBOARD = "/ui/";

  private final URI publicUrl;
  private final boolean allowAnyIpAddress;

  /**
   * @param publicUrl the URL that clients use
   * @param allowAnyIpAddress whether {@code Host} may be any IP address, for servers that listen
   *     beyond loopback and may have many
   */
  public HostOriginCheck(URI publicUrl, boolean allowAnyIpAddress) {
    this.publicUrl = publicUrl;
    this.allowAnyIpAddress = allowAnyIpAddress;
  }

  /** Throws {@link HttpProblemException} if the request is for another host or from a web page. */
  public void check(Request request) {
    String host = request.headers().first("Host").orElse("").toLowerCase(Locale.ROOT);
    var parts = HOST.matcher(host);
    if (!parts.matches() || !isOurs(parts.group(1))) {
      throw HttpProblemException.of(
          HttpStatus.MISDIRECTED_REQUEST,
          "this server is not known as '%s'; if it should be, set HOST_URL to the URL that clients use"
              .formatted(FieldError.sanitize(host)));
    }
    boolean otherOrigin =
        request.headers().all("Origin").stream().anyMatch(origin -> !isOurs(origin, host));
    boolean crossSite =
        request.headers().all("Sec-Fetch-Site").stream()
            .anyMatch(site -> !site.equals("same-origin") && !site.equals("none"));
    if (otherOrigin || (crossSite && !isLinkToPage(request))) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN, "requests from web pages of other sites are refused");
    }
  }

  /** True if a browser opens a page because someone followed a link to it. */
  private static boolean isLinkToPage(Request request) {
    return request.method().equals("GET")
        && request.headers().all("Sec-Fetch-Mode").equals(List.of("navigate"))
        && request.headers().all("Sec-Fetch-Dest").equals(List.of("document"))
        && (PAGES.contains(request.path()) || request.path().startsWith(DASHBOARD));
  }

  private boolean isOurs(String name) {
    return LOOPBACK.contains(name)
        || name.equalsIgnoreCase(publicUrl.getHost())
        || (allowAnyIpAddress && ADDRESS.matcher(name).matches());
  }

  private boolean isOurs(String origin, String host) {
    return origin.equalsIgnoreCase("http://" + host)
        || origin.equalsIgnoreCase(originOf(publicUrl));
  }

  private static String originOf(URI uri) {
    String origin = uri.getScheme() + "://" + uri.getHost();
    int defaultPort = DEFAULT_PORTS.getOrDefault(uri.getScheme().toLowerCase(Locale.ROOT), -1);
    return uri.getPort() == -1 || uri.getPort() == defaultPort
        ? origin
        : origin + ":" + uri.getPort();
  }
}
