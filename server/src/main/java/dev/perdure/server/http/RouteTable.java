// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All routes; finds the one for a request. */
public final class RouteTable implements RequestHandler {

  private final Map<PathPattern, Map<String, Route>> routes = new TreeMap<>();

  public RouteTable(List<Route> routes) {
    for (Route route : routes) {
      Route before =
          this.routes
              .computeIfAbsent(PathPattern.of(route.pattern()), pattern -> new TreeMap<>())
              .put(route.method(), route);
      if (before != null) {
        throw new IllegalArgumentException(
            "two routes for %s %s".formatted(route.method(), route.pattern()));
      }
    }
  }

  /** All routes, more specific ones first. */
  public List<Route> routes() {
    return routes.values().stream().flatMap(methods -> methods.values().stream()).toList();
  }

  @Override
  public Response handle(Request request) {
    List<String> path = PathPattern.segmentsOf(request.path());
    for (Map.Entry<PathPattern, Map<String, Route>> entry : routes.entrySet()) {
      Optional<Map<String, String>> variables = entry.getKey().match(path);
      if (variables.isPresent()) {
        Route route = route(entry.getValue(), request);
        return dispatch(route, request.withPathVariables(variables.get()));
      }
    }
    throw HttpProblemException.notFound(
        "there is no resource at '%s'".formatted(FieldError.sanitize(request.path())));
  }

  private static Route route(Map<String, Route> methods, Request request) {
    boolean head = request.method().equals("HEAD");
    Route route = methods.get(head ? "GET" : request.method());
    if (route != null) {
      return route;
    }
    String allowed = String.join(", ", methods.keySet());
    throw HttpProblemException.of(
            HttpStatus.METHOD_NOT_ALLOWED,
            "'%s' supports %s, not %s"
                .formatted(
                    FieldError.sanitize(request.path()),
                    allowed,
                    FieldError.sanitize(request.method())))
        .withHeader("Allow", methods.containsKey("GET") ? allowed + ", HEAD" : allowed);
  }

  private static Response dispatch(Route route, Request request) {
    authorize(route, request);
    if (request.hasBody() && !route.acceptsBody()) {
      // Read and ignored: a request whose body is not read would run into the read timeout.
      request.body().read();
    }
    return route.handler().handle(request);
  }

  private static void authorize(Route route, Request request) {
    boolean hasHandle = request.query().has(Route.HANDLE_PARAMETER);
    if (hasHandle && route.acceptsHandle()) {
      return; // The handler verifies it.
    }
    if (hasHandle && !route.method().equals("GET")) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "a handle only allows PATCH and PUT on its own task: leave it out of other requests");
    }
    request.require(route.role());
  }
}
