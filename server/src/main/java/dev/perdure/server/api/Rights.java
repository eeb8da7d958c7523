// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Right;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Role;
import dev.perdure.server.http.Route;
import dev.perdure.server.http.Status;
import dev.perdure.server.webhook.handle.Handles;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Says by what right a request speaks for an attempt. */
final class Rights {

  private final Handles handles;

  Rights(Handles handles) {
    this.handles = handles;
  }

  /** The right of the handle that is shown; null when none is, and then a key was. */
  @Nullable Right ofHandle(Request request, UUID task) {
    String token = request.query().value(Route.HANDLE).orElse(null);
    if (token == null) {
      return null;
    }
    OptionalLong epoch = handles.epoch(task, token);
    if (epoch.isEmpty()) {
      throw RefusedException.of(
          Status.FORBIDDEN, "the handle is none of this task: use the whole URL that was given");
    }
    return Right.ofHandle(epoch.getAsLong());
  }

  /** That of the lease whose epoch it names; without one an operator's, who must be one. */
  static Right of(Request request, @Nullable Long epoch) {
    if (epoch != null) {
      return Right.ofLease(epoch);
    }
    if (!request.caller().may(Role.ADMIN)) {
      throw RefusedException.of(
          Status.FORBIDDEN,
          "without an 'epoch' this is an operator's act and needs the role %s, which %s does not have"
              .formatted(Role.ADMIN.text(), request.caller().name()));
    }
    return Right.ofOperator();
  }
}
