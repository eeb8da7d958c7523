// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One attempt of a task, with the proof that the holder may settle it: the epoch of a lease, or the
 * token in the handle of a webhook.
 */
public final class AttemptRef {

  private static final Pattern HANDLE =
      Pattern.compile(".*(/task/([0-9a-f-]{36})\\?handle=[\\w.~-]+)");

  private final UUID task;
  private final String path;
  private final @Nullable Long epoch;

  private AttemptRef(UUID task, String path, @Nullable Long epoch) {
    this.task = task;
    this.path = path;
    this.epoch = epoch;
  }

  /** The attempt that a worker claimed under this epoch. */
  public static AttemptRef ofLease(UUID task, long epoch) {
    return new AttemptRef(task, "/task/" + task, epoch);
  }

  /**
   * The attempt that an {@code on_start} webhook was called for. Requests go to the client's own
   * server, whichever host the handle names.
   *
   * @param handle the URL in the webhook's {@code handle} parameter
   * @throws IllegalArgumentException when it is not a handle
   */
  public static AttemptRef ofHandle(URI handle) {
    Matcher match = HANDLE.matcher(handle.toString());
    if (!match.matches()) {
      // The text may hold a token that must not reach a log.
      throw new IllegalArgumentException("the URL is not a handle: it must be …/task/ID?handle=…");
    }
    return new AttemptRef(UUID.fromString(match.group(2)), match.group(1), null);
  }

  /** The task's id. */
  public UUID task() {
    return task;
  }

  boolean isLease() {
    return epoch != null;
  }

  String path() {
    return path;
  }

  /** A request body that proves the right to settle the attempt. */
  ObjectNode body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    return epoch == null ? body : body.put("epoch", epoch);
  }

  ObjectNode failureBody(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    return failureBody(Failure.exception(thrown)).put("stack", stack.toString());
  }

  ObjectNode failureBody(Failure failure) {
    ObjectNode body = body().put("status", "Failure").put("retryable", !failure.permanent());
    if (failure.message() != null) {
      body.put("failure_reason", failure.message());
    }
    if (failure.code() != null) {
      body.put("failure_code", failure.code());
    }
    if (failure.hasStatus()) {
      body.put("failure_status", failure.status());
    }
    failure.exceptionTypes().forEach(body.withArray("exception_types")::add);
    Duration delay =
        failure.requestedDelay() == null ? failure.retryAfter() : failure.requestedDelay();
    if (delay != null) {
      body.put("retry_after", DurationText.format(delay));
    }
    return body;
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "attempt of task " + task;
  }
}
