// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/**
 * What answers a method on a path.
 *
 * @param pattern segments, of which those in braces stand for anything: {@code /task/{id}}
 * @param role what a caller must be allowed to do
 * @param takesHandle whether a handle in the query will do instead of the role; the handler checks
 *     it
 */
public record Route(
    String method, String pattern, Role role, boolean takesHandle, Handler handler) {

  /** The parameter of a query that a handle stands in. */
  public static final String HANDLE = "handle";

  private static Route of(String method, String pattern, Role role, Handler handler) {
    return new Route(method, pattern, role, false, handler);
  }

  /** True when what comes after the headers means something here. */
  boolean takesBody() {
    return !method.equals("GET") && !method.equals("DELETE");
  }

  /** The same, where a handle will do too. */
  public Route orHandle() {
    return new Route(method, pattern, role, true, handler);
  }

  public static Route get(String pattern, Role role, Handler handler) {
    return of("GET", pattern, role, handler);
  }

  public static Route post(String pattern, Role role, Handler handler) {
    return of("POST", pattern, role, handler);
  }

  public static Route patch(String pattern, Role role, Handler handler) {
    return of("PATCH", pattern, role, handler);
  }

  public static Route put(String pattern, Role role, Handler handler) {
    return of("PUT", pattern, role, handler);
  }

  public static Route delete(String pattern, Role role, Handler handler) {
    return of("DELETE", pattern, role, handler);
  }
}
