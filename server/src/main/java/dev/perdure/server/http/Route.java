// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/**
 * What answers a method on a path.
 *
 * @param pattern segments, of which those in braces stand for anything: {@code /task/{id}}
 * @param role what a caller must be allowed to do
 * @param acceptsHandle whether a handle in the query will do instead of the role; the handler
 *     checks it
 */
public record Route(
    String method, String pattern, Role role, boolean acceptsHandle, RequestHandler handler) {

  /** The parameter of a query that a handle stands in. */
  public static final String HANDLE_PARAMETER = "handle";

  private static Route of(String method, String pattern, Role role, RequestHandler requestHandler) {
    return new Route(method, pattern, role, false, requestHandler);
  }

  /** True when what comes after the headers means something here. */
  boolean acceptsBody() {
    return !method.equals("GET") && !method.equals("DELETE");
  }

  /** The same, where a handle will do too. */
  public Route orByHandle() {
    return new Route(method, pattern, role, true, handler);
  }

  public static Route get(String pattern, Role role, RequestHandler requestHandler) {
    return of("GET", pattern, role, requestHandler);
  }

  public static Route post(String pattern, Role role, RequestHandler requestHandler) {
    return of("POST", pattern, role, requestHandler);
  }

  public static Route patch(String pattern, Role role, RequestHandler requestHandler) {
    return of("PATCH", pattern, role, requestHandler);
  }

  public static Route put(String pattern, Role role, RequestHandler requestHandler) {
    return of("PUT", pattern, role, requestHandler);
  }

  public static Route delete(String pattern, Role role, RequestHandler requestHandler) {
    return of("DELETE", pattern, role, requestHandler);
  }
}
