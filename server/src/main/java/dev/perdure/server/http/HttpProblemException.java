// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.Map;

/** A request that fails; the response is a {@link ProblemDocument}. */
public final class HttpProblemException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;
  private final transient List<FieldError> errors;
  private final transient Map<String, String> headers;

  private HttpProblemException(
      int status, String detail, List<FieldError> errors, Map<String, String> headers) {
    super(detail);
    this.status = status;
    this.errors = List.copyOf(errors);
    this.headers = Map.copyOf(headers);
  }

  public static HttpProblemException of(int status, String detail) {
    return new HttpProblemException(status, detail, List.of(), Map.of());
  }

  public static HttpProblemException badRequest(String detail) {
    return of(HttpStatus.BAD_REQUEST, detail);
  }

  /** A 400 with all errors of the request. */
  public static HttpProblemException invalid(List<FieldError> errors) {
    String detail =
        errors.size() == 1
            ? errors.getFirst().toString()
            : "the request has %d errors".formatted(errors.size());
    return new HttpProblemException(HttpStatus.BAD_REQUEST, detail, errors, Map.of());
  }

  /**
   * A 401.
   *
   * @param error a parameter for {@code WWW-Authenticate}; empty if the request has no key
   */
  public static HttpProblemException unauthorized(String detail, String error) {
    return of(HttpStatus.UNAUTHORIZED, detail)
        .withHeader("WWW-Authenticate", "Bearer realm=\"perdure\"" + error);
  }

  public static HttpProblemException notFound(String detail) {
    return of(HttpStatus.NOT_FOUND, detail);
  }

  public static HttpProblemException conflict(String detail) {
    return of(HttpStatus.CONFLICT, detail);
  }

  /** A 503 that asks the client to retry after a second. */
  public static HttpProblemException unavailable(String detail) {
    return of(HttpStatus.SERVICE_UNAVAILABLE, detail).withHeader("Retry-After", "1");
  }

  /** A copy with this header in the response. */
  public HttpProblemException withHeader(String name, String value) {
    return new HttpProblemException(status, detail(), errors, Map.of(name, value));
  }

  public int status() {
    return status;
  }

  public String detail() {
    return String.valueOf(getMessage());
  }

  public List<FieldError> errors() {
    return errors;
  }

  public Map<String, String> headers() {
    return headers;
  }
}
