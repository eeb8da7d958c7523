// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Keeps web pages out. A page may be loaded from a name that later leads to this machine, so the
 * name in {@code Host} must be one of ours; and a page from elsewhere may send requests here, but
 * its browser says so in {@code Origin} and {@code Sec-Fetch-Site}.
 */
public final class HostOriginCheck {

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-f:.]{2,45}]|[a-z0-9._-]{1,253})(:\\d{1,5})?");

  /** Of a name somebody's resolver says where it leads; of an address nobody does. */
  private static final Pattern ADDRESS = Pattern.compile("\\[.*|\\d{1,3}(\\.\\d{1,3}){3}");

  /** Which browsers leave out. */
  private static final Map<String, Integer> DEFAULT_PORTS = Map.of("http", 80, "https", 443);

  private final URI publicUrl;
  private final boolean allowAnyIpAddress;

  /**
   * @param own where others find this server
   * @param byAnyAddress whether it listens beyond loopback, where its own addresses are many
   */
  public HostOriginCheck(URI own, boolean byAnyAddress) {
    this.publicUrl = own;
    this.allowAnyIpAddress = byAnyAddress;
  }

  /** Throws {@link HttpProblemException} unless the request is for us, and from no other site. */
  public void check(Request request) {
    String host = request.headers().first("Host").orElse("").toLowerCase(Locale.ROOT);
    var parts = HOST.matcher(host);
    if (!parts.matches() || !isOurs(parts.group(1))) {
      throw HttpProblemException.of(
          HttpStatus.MISDIRECTED_REQUEST,
          "this server is not '%s'; if it should be, set HOST_URL to the address that clients use"
              .formatted(FieldError.sanitize(host)));
    }
    boolean elsewhere =
        request.headers().all("Origin").stream().anyMatch(origin -> !isOurs(origin, host));
    boolean crossSite =
        request.headers().all("Sec-Fetch-Site").stream()
            .anyMatch(site -> !site.equals("same-origin") && !site.equals("none"));
    if (elsewhere || crossSite) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN, "requests of web pages from other sites are refused");
    }
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
    int usual = DEFAULT_PORTS.getOrDefault(uri.getScheme().toLowerCase(Locale.ROOT), -1);
    return uri.getPort() == -1 || uri.getPort() == usual ? origin : origin + ":" + uri.getPort();
  }
}
