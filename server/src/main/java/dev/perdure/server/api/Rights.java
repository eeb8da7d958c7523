// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Right;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Role;
import dev.perdure.server.http.Status;
import org.jspecify.annotations.Nullable;

/** Says by what right a request speaks for an attempt. */
final class Rights {

  private Rights() {}

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
