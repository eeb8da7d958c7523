// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Role;
import dev.perdure.server.http.Route;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Adds {@code X-Now}, the database's clock, to JSON responses, so that clients can count down to
 * the instants in them whatever their own clock says.
 */
final class NowHeader {

  static final String NAME = "X-Now";

  private final Supplier<Instant> databaseClock;

  NowHeader(Supplier<Instant> databaseClock) {
    this.databaseClock = databaseClock;
  }

  /** Routes that need no role, such as health checks, must not ask the database. */
  Route on(Route route) {
    return route.role() == Role.NONE
        ? route
        : route.withHandler(request -> with(route.handler().handle(request)));
  }

  private Response with(Response response) {
    if (!response.isJson() || response.headers().containsKey(NAME)) {
      return response;
    }
    try {
      return with(response, databaseClock.get());
    } catch (StoreException unavailable) {
      return response; // The request itself succeeded.
    }
  }

  /** With this time, so that the database is not asked for it. */
  static Response with(Response response, Instant now) {
    return response.withHeader(NAME, String.valueOf(InstantText.of(now)));
  }
}
