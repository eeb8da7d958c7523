// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.server.access.HandleTokens;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Role;
import dev.perdure.server.http.Route;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Says by what right a request speaks for an attempt. */
final class AttemptCredentials {

  private final HandleTokens handleTokens;

  AttemptCredentials(HandleTokens handleTokens) {
    this.handleTokens = handleTokens;
  }

  /** The right of the handle that is shown; null when none is, and then a key was. */
  @Nullable AttemptCredential ofHandle(Request request, UUID task) {
    String token = request.query().value(Route.HANDLE_PARAMETER).orElse(null);
    if (token == null) {
      return null;
    }
    OptionalLong epoch = handleTokens.verify(task, token);
    if (epoch.isEmpty()) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "the handle is none of this task: use the whole URL that was given");
    }
    return AttemptCredential.ofHandle(epoch.getAsLong());
  }

  /** That of the lease whose epoch it names; without one an operator's, who must be one. */
  static AttemptCredential ofRequest(Request request, @Nullable Long epoch) {
    if (epoch != null) {
      return AttemptCredential.ofLease(epoch);
    }
    if (!request.caller().may(Role.ADMIN)) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "without an 'epoch' this is an operator's act and needs the role %s, which %s does not have"
              .formatted(Role.ADMIN.text(), request.caller().name()));
    }
    return AttemptCredential.ofOperator();
  }
}
