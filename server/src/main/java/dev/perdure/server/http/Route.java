// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/**
 * A method, a path pattern and the handler for them.
 *
 * @param pattern a path with variables in braces: {@code /task/{id}}; if the last one ends with
 *     three dots, it stands for the rest of the path
 * @param role the role that a caller needs
 * @param acceptsHandle whether a handle in the query replaces the role; the handler verifies it
 */
public record Route(
    String method, String pattern, Role role, boolean acceptsHandle, RequestHandler handler) {

  /** The query parameter that carries a handle. */
  public static final String HANDLE_PARAMETER = "handle";

  private static Route of(String method, String pattern, Role role, RequestHandler handler) {
    return new Route(method, pattern, role, false, handler);
  }

  /** True if a body has a meaning for this method. */
  boolean acceptsBody() {
    return !method.equals("GET") && !method.equals("DELETE");
  }

  /** A copy that also accepts a handle instead of the role. */
  public Route orByHandle() {
    return new Route(method, pattern, role, true, handler);
  }

  /** A copy with this handler instead. */
  public Route withHandler(RequestHandler value) {
    return new Route(method, pattern, role, acceptsHandle, value);
  }

  public static Route get(String pattern, Role role, RequestHandler handler) {
    return of("GET", pattern, role, handler);
  }

  public static Route post(String pattern, Role role, RequestHandler handler) {
    return of("POST", pattern, role, handler);
  }

  public static Route patch(String pattern, Role role, RequestHandler handler) {
    return of("PATCH", pattern, role, handler);
  }

  public static Route put(String pattern, Role role, RequestHandler handler) {
    return of("PUT", pattern, role, handler);
  }

  public static Route delete(String pattern, Role role, RequestHandler handler) {
    return of("DELETE", pattern, role, handler);
  }
}
