// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/**
 * What answers a method on a path.
 *
 * @param pattern segments, of which those in braces stand for anything: {@code /task/{id}}
 * @param role what a caller must be allowed to do
 */
public record Route(String method, String pattern, Role role, Handler handler) {

  public static Route get(String pattern, Role role, Handler handler) {
    return new Route("GET", pattern, role, handler);
  }

  public static Route post(String pattern, Role role, Handler handler) {
    return new Route("POST", pattern, role, handler);
  }

  public static Route patch(String pattern, Role role, Handler handler) {
    return new Route("PATCH", pattern, role, handler);
  }

  public static Route put(String pattern, Role role, Handler handler) {
    return new Route("PUT", pattern, role, handler);
  }

  public static Route delete(String pattern, Role role, Handler handler) {
    return new Route("DELETE", pattern, role, handler);
  }
}
