// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.server.redact.Redaction;
import java.util.HexFormat;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles internal errors: the log gets the details, the caller an id to find them there. After an
 * error of the JVM, such as a lack of memory, the process ends: everything it acknowledged is
 * durable, and other nodes take over its work. A process that only looks alive would block them.
 */
final class InternalErrorHandler {

  private static final Logger LOG = LoggerFactory.getLogger(InternalErrorHandler.class);

  /** The exit status of the JVM with {@code -XX:+ExitOnOutOfMemoryError}. */
  private static final int EXIT_STATUS = 3;

  private final RandomGenerator random;
  private final IntConsumer halt;

  InternalErrorHandler(RandomGenerator random) {
    this(random, Runtime.getRuntime()::halt);
  }

  /**
   * @param halt ends the process at once with this status
   */
  InternalErrorHandler(RandomGenerator random, IntConsumer halt) {
    this.random = random;
    this.halt = halt;
  }

  Response respond(Request request, Throwable error) {
    if (error instanceof VirtualMachineError && !(error instanceof StackOverflowError)) {
      haltProcess(error);
    }
    String id = HexFormat.of().toHexDigits(random.nextLong());
    LOG.error(
        "internal error {} in {} {}",
        id,
        request.method(),
        Redaction.tokens(request.path()),
        error);
    return ProblemDocument.internalError(id);
  }

  /** Other threads may have ended unnoticed, so the process cannot be trusted any more. */
  private void haltProcess(Throwable error) {
    try {
      LOG.error("this process cannot continue and ends: {}", error.toString());
    } finally {
      halt.accept(EXIT_STATUS);
    }
  }
}
