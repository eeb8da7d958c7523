// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Role;
import dev.perdure.server.http.Route;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Tells readers the database's clock, which decides when a retry is due. A client whose own clock
 * is wrong can count down by it.
 */
final class DatabaseTimeHeader {

  private static final String NAME = "X-Now";

  private final Supplier<Instant> databaseTime;

  DatabaseTimeHeader(Supplier<Instant> databaseTime) {
    this.databaseTime = databaseTime;
  }

  /** The route, with the header in its successful responses if it reads. */
  Route addTo(Route route) {
    if (!route.method().equals("GET") || route.role() != Role.READ) {
      return route;
    }
    return new Route(
        route.method(),
        route.pattern(),
        route.role(),
        route.acceptsHandle(),
        request -> handle(route, request));
  }

  private Response handle(Route route, Request request) {
    Response response = route.handler().handle(request);
    if (response.status() != HttpStatus.OK) {
      return response;
    }
    try {
      return response.withHeader(NAME, Objects.requireNonNull(InstantText.of(databaseTime.get())));
    } catch (StoreException away) {
      return response; // The response itself was read in time.
    }
  }
}
