// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Everything between a listener and the routes: host check, content type, authentication, errors,
 * compression and security headers. Every request gets a response, whatever goes wrong.
 */
public final class HttpPipeline implements RequestHandler {

  /** Keep a browser from doing more with a response than showing it. */
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
   * @param exceptionMapper turns exceptions that are not internal errors into problems
   * @param random creates the ids of internal errors
   */
  public HttpPipeline(
      HostOriginCheck hostOriginCheck,
      CallerAuthenticator authenticator,
      RouteTable routes,
      AuditLog auditLog,
      Function<RuntimeException, Optional<HttpProblemException>> exceptionMapper,
      RandomGenerator random) {
    this.hostOriginCheck = hostOriginCheck;
    this.authenticator = authenticator;
    this.routes = routes;
    this.auditLog = auditLog;
    this.exceptionMapper = exceptionMapper;
    this.internalErrors = new InternalErrorHandler(random);
  }

  @Override
  public Response handle(Request request) {
    return withSecurityHeaders(GzipEncoder.encode(request, dispatch(request)));
  }

  /** The response to a request that a listener refuses before it reaches the pipeline. */
  public static Response problemResponse(HttpProblemException problem) {
    return withSecurityHeaders(ProblemDocument.of(problem));
  }

  private static Response withSecurityHeaders(Response response) {
    return response.withDefaultHeaders(SECURITY_HEADERS);
  }

  private Response dispatch(Request request) {
    try {
      hostOriginCheck.check(request);
      ContentTypeCheck.check(request);
      // Once, because the request may change the result: a caller can revoke its own key.
      Lazy<Caller> caller = new Lazy<>(() -> authenticator.authenticate(request));
      return routes.handle(
          request.withCaller(caller).withAuditSink(entry -> auditLog.record(caller.get(), entry)));
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
