// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Everything between a listener and the routes: who may come in, how errors look, and the headers
 * that every answer has. Whatever goes wrong, there is an answer.
 */
public final class HttpPipeline implements RequestHandler {

  /** What keeps a browser from doing more with an answer than showing it. */
  private static final Map<String, String> SECURITY_HEADERS =
      Map.of(
          "Cache-Control", "no-store",
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Referrer-Policy", "no-referrer",
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY");

  private final HostOriginCheck hostOriginCheck;
  private final CallerAuthenticator authenticator;
  private final RouteTable routes;
  private final AuditLog auditLog;
  private final Function<RuntimeException, Optional<HttpProblemException>> exceptionMapper;
  private final InternalErrorHandler internalErrors;

  /**
   * @param auditLog writes down what was done
   * @param known what is no fault although it was thrown, as a refusal
   * @param random makes the ids of faults
   */
  public HttpPipeline(
      HostOriginCheck names,
      CallerAuthenticator callerAuthenticator,
      RouteTable routes,
      AuditLog auditLog,
      Function<RuntimeException, Optional<HttpProblemException>> known,
      RandomGenerator random) {
    this.hostOriginCheck = names;
    this.authenticator = callerAuthenticator;
    this.routes = routes;
    this.auditLog = auditLog;
    this.exceptionMapper = known;
    this.internalErrors = new InternalErrorHandler(random);
  }

  @Override
  public Response handle(Request request) {
    return withSecurityHeaders(dispatch(request));
  }

  /** The answer to a request that could not even be read. */
  public static Response problemResponse(HttpProblemException refused) {
    return withSecurityHeaders(ProblemDocument.of(refused));
  }

  private static Response withSecurityHeaders(Response response) {
    return response.withDefaultHeaders(SECURITY_HEADERS);
  }

  private Response dispatch(Request request) {
    try {
      hostOriginCheck.check(request);
      ContentTypeCheck.check(request);
      // Once: what is done may change who the caller would be, as when it revokes its own key.
      Memoized<Caller> who = new Memoized<>(() -> authenticator.authenticate(request.headers()));
      return routes.handle(
          request
              .withCaller(who)
              .withAuditSink(auditEntry -> auditLog.record(who.get(), auditEntry)));
    } catch (HttpProblemException e) {
      return ProblemDocument.of(e);
    } catch (RuntimeException e) {
      return exceptionMapper
          .apply(e)
          .map(ProblemDocument::of)
          .orElseGet(() -> internalErrors.respond(request, e));
    } catch (Error e) {
      return internalErrors.respond(request, e);
    }
  }
}
