// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.server.access.HandleTokens;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Role;
import dev.perdure.server.http.Route;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds the credential with which a request acts for an attempt. */
final class AttemptCredentials {

  private final HandleTokens tokens;

  AttemptCredentials(HandleTokens tokens) {
    this.tokens = tokens;
  }

  /**
   * The credential of the request's handle; null when the request has none. An empty handle is
   * invalid, and a misspelled parameter is an error: without a handle, the request would be an
   * operator action, which no epoch fences.
   */
  @Nullable AttemptCredential ofHandle(Request request, UUID task) {
    QueryReader.of(request.query(), List.of(Route.HANDLE_PARAMETER)).requireValid();
    if (!request.query().has(Route.HANDLE_PARAMETER)) {
      return null;
    }
    String token = request.query().value(Route.HANDLE_PARAMETER).orElse("");
    OptionalLong epoch = tokens.verify(task, token);
    if (epoch.isEmpty()) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "the handle is not valid for this task: use the whole callback URL of the on_start call");
    }
    return AttemptCredential.ofHandle(epoch.getAsLong());
  }

  /** The lease with this epoch; without an epoch the operator, which needs the role admin. */
  static AttemptCredential ofRequest(Request request, @Nullable Long epoch) {
    if (epoch != null) {
      return AttemptCredential.ofLease(epoch);
    }
    if (!request.caller().may(Role.ADMIN)) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "without an 'epoch' this is an operator action that needs the role %s, which the key %s does not have"
              .formatted(Role.ADMIN.text(), request.caller().name()));
    }
    return AttemptCredential.ofOperator();
  }
}
