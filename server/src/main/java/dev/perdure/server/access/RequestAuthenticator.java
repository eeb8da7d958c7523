// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.server.http.Caller;
import dev.perdure.server.http.CallerAuthenticator;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Role;

/** Authenticates a request by its API key, or else by the cookie of a session. */
public final class RequestAuthenticator implements CallerAuthenticator {

  private final ApiKeyAuthenticator apiKeys;
  private final Sessions sessions;

  public RequestAuthenticator(ApiKeyAuthenticator apiKeys, Sessions sessions) {
    this.apiKeys = apiKeys;
    this.sessions = sessions;
  }

  @Override
  public Caller authenticate(Request request) {
    if (!apiKeys.isKeyRequired() || request.headers().has("Authorization")) {
      return apiKeys.authenticate(request.headers());
    }
    return sessions
        .find(request)
        .map(found -> new Caller(found.keyName(), found.keyId(), Role.all(found.roles())))
        .orElse(Caller.UNAUTHENTICATED);
  }
}
