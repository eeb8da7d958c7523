// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.InstantText;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.access.ApiKeyAuthenticator;
import dev.perdure.server.access.LoginLimiter;
import dev.perdure.server.access.SessionCookie;
import dev.perdure.server.access.Sessions;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.access.SessionStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Logs people in and out in a browser, and says who they are. */
public final class SessionRoutes {

  private static final String SET_COOKIE = "Set-Cookie";
  private static final long MILLIS_PER_SECOND = 1_000;

  private final ApiKeyAuthenticator apiKeys;
  private final Sessions sessions;
  private final LoginLimiter loginLimiter;
  private final SessionCookie cookie;

  /**
   * @param clock a monotonic clock
   * @param cookie carries the token of a session
   */
  public SessionRoutes(
      ApiKeyAuthenticator apiKeys,
      Sessions sessions,
      Supplier<Duration> clock,
      SessionCookie cookie) {
    this.apiKeys = apiKeys;
    this.sessions = sessions;
    this.loginLimiter = new LoginLimiter(clock);
    this.cookie = cookie;
  }

  /** Opens a session for the owner of an API key. */
  Response create(Request request) {
    BodyReader body = BodyReader.of(request);
    JsonValueReader field = body.required("key");
    String key = field == null ? null : field.text();
    body.requireValid();
    Caller caller = verified(Objects.requireNonNullElse(key, ""), request.clientAddress());
    String token = sessions.open(Objects.requireNonNull(caller.keyId()));
    return Response.noContent().withHeader(SET_COOKIE, cookie.store(token));
  }

  private Caller verified(String key, String address) {
    Optional<Duration> wait = loginLimiter.tryAttempt(address);
    if (wait.isPresent()) {
      throw HttpProblemException.of(
              HttpStatus.TOO_MANY_REQUESTS, "too many wrong API keys: try again in a minute")
          .withHeader("Retry-After", Long.toString(wholeSeconds(wait.get())));
    }
    boolean wrong = false;
    try {
      return apiKeys.authenticate(key);
    } catch (HttpProblemException refused) {
      wrong = true;
      throw HttpProblemException.unauthorized("this API key is not valid", "");
    } finally {
      if (!wrong) {
        loginLimiter.forgive(address);
      }
    }
  }

  private static long wholeSeconds(Duration wait) {
    return Math.ceilDiv(wait.toMillis(), MILLIS_PER_SECOND);
  }

  /** Says whether the server asks for a key, and who the caller is. */
  Response show(Request request) {
    boolean asks = apiKeys.isKeyRequired();
    if (!asks || request.headers().has("Authorization")) {
      Caller caller = apiKeys.authenticate(request.headers());
      return Response.ok(json(asks, caller.name(), caller.roles()));
    }
    Optional<SessionStore.Session> session = sessions.find(request);
    if (session.isEmpty()) {
      return Response.ok(json(true, null, List.of()));
    }
    SessionStore.Session found = session.get();
    return Response.ok(
        json(true, found.keyName(), Role.all(found.roles()))
            .put("expires_at", InstantText.of(found.expiresAt())));
  }

  private static ObjectNode json(boolean asks, @Nullable String who, Collection<Role> roles) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("asks", asks).put("who", who);
    roles.stream().sorted().map(Role::text).forEach(json.putArray("roles")::add);
    return json;
  }

  /** Ends the session. Repeating it succeeds. */
  Response delete(Request request) {
    sessions.end(request);
    return Response.noContent().withHeader(SET_COOKIE, cookie.delete());
  }
}
