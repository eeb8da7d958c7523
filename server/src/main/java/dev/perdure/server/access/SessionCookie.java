// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The cookie that carries the token of a session. A browser sends a cookie by itself, so it counts
 * only if the browser also says that a page of this server sent the request, and a request that
 * changes something needs a header that no other site can set.
 */
public final class SessionCookie {

  private static final String NAME = "perdure_session";
  private static final String WRITE_HEADER = "X-Perdure-UI";
  private static final Set<String> READS = Set.of("GET", "HEAD");

  private final String path;
  private final boolean secure;

  /**
   * @param path browsers send the cookie with requests for paths below this one
   * @param secure whether browsers may send the cookie over TLS only
   */
  public SessionCookie(String path, boolean secure) {
    this.path = path;
    this.secure = secure;
  }

  /** The value of {@code Set-Cookie} that stores this token. */
  public String store(String token) {
    return NAME + "=" + token + attributes();
  }

  /** The value of {@code Set-Cookie} that deletes the cookie. */
  public String delete() {
    return NAME + "=; Max-Age=0" + attributes();
  }

  private String attributes() {
    return "; HttpOnly; SameSite=Strict; Path=" + path + (secure ? "; Secure" : "");
  }

  /**
   * The token in the cookie of a request; empty if there is none, or if no page of this server sent
   * the request.
   *
   * @throws HttpProblemException if a request that changes something lacks the header for that
   */
  public static Optional<String> token(Request request) {
    List<String> tokens = tokens(request.headers());
    // Two cookies of this name: a page of a sibling domain may have set one of them.
    if (tokens.size() != 1 || !isFromOwnPage(request.headers())) {
      return Optional.empty();
    }
    boolean mayWrite = request.headers().all(WRITE_HEADER).equals(List.of("1"));
    if (!READS.contains(request.method()) && !mayWrite) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "a request with a session cookie that changes something needs the header %s: 1"
              .formatted(WRITE_HEADER));
    }
    return Optional.of(tokens.getFirst());
  }

  private static List<String> tokens(Headers headers) {
    return headers.all("Cookie").stream()
        .flatMap(line -> Arrays.stream(line.split(";", -1)))
        .map(String::strip)
        .filter(pair -> pair.startsWith(NAME + "="))
        .map(pair -> pair.substring(NAME.length() + 1))
        .toList();
  }

  /** An {@code Origin} is ours: requests with another one do not get this far. */
  private static boolean isFromOwnPage(Headers headers) {
    List<String> site = headers.all("Sec-Fetch-Site");
    return site.isEmpty() ? headers.has("Origin") : site.equals(List.of("same-origin"));
  }
}
