// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import dev.perdure.policy.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** The server answered, and not as asked. */
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int UNAVAILABLE = 503;

  private final int status;
  private final transient List<Problem> problems;

  RefusedException(int status, List<Problem> problems) {
    super(problems.toString());
    this.status = status;
    this.problems = List.copyOf(problems);
  }

  /** What the server said, at least one. */
  public List<Problem> problems() {
    return problems;
  }

  /** The same in a line. */
  String words() {
    return problems.stream().map(Problem::toString).collect(Collectors.joining("; "));
  }

  /** What was sent is wrong in itself. */
  public boolean isInvalid() {
    return status == BAD_REQUEST;
  }

  /** The question was right, and the answer is no. */
  public boolean isNo() {
    return status == NOT_FOUND || status == CONFLICT;
  }

  /** The same may be answered in a while. */
  public boolean passes() {
    return status == UNAVAILABLE;
  }
}
