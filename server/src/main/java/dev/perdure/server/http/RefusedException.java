// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.Problem;
import java.util.List;
import java.util.Map;

/** A request that is not answered as asked; becomes a {@link ProblemDocument}. */
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;
  private final transient List<Problem> errors;
  private final transient Map<String, String> headers;

  private RefusedException(
      int status, String detail, List<Problem> errors, Map<String, String> headers) {
    super(detail);
    this.status = status;
    this.errors = List.copyOf(errors);
    this.headers = Map.copyOf(headers);
  }

  public static RefusedException of(int status, String detail) {
    return new RefusedException(status, detail, List.of(), Map.of());
  }

  public static RefusedException badRequest(String detail) {
    return of(Status.BAD_REQUEST, detail);
  }

  /** A request that makes no sense, with everything that is wrong with it. */
  public static RefusedException invalid(List<Problem> errors) {
    String detail =
        errors.size() == 1
            ? errors.getFirst().toString()
            : "%d things are wrong with the request".formatted(errors.size());
    return new RefusedException(Status.BAD_REQUEST, detail, errors, Map.of());
  }

  /**
   * Nobody we know.
   *
   * @param error a parameter for {@code WWW-Authenticate}; empty when no key was shown
   */
  public static RefusedException unauthorized(String detail, String error) {
    return of(Status.UNAUTHORIZED, detail)
        .with("WWW-Authenticate", "Bearer realm=\"perdure\"" + error);
  }

  public static RefusedException notFound(String detail) {
    return of(Status.NOT_FOUND, detail);
  }

  public static RefusedException conflict(String detail) {
    return of(Status.CONFLICT, detail);
  }

  /** Not now; in a second it may be. */
  public static RefusedException unavailable(String detail) {
    return of(Status.UNAVAILABLE, detail).with("Retry-After", "1");
  }

  /** The same, with a header of the answer. */
  public RefusedException with(String name, String value) {
    return new RefusedException(status, detail(), errors, Map.of(name, value));
  }

  public int status() {
    return status;
  }

  public String detail() {
    return String.valueOf(getMessage());
  }

  public List<Problem> errors() {
    return errors;
  }

  public Map<String, String> headers() {
    return headers;
  }
}
