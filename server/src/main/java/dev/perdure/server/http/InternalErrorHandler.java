// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.server.redact.Redaction;
import java.util.HexFormat;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults of ours: the log gets all of it, the caller an id to find it there. After some of them the
 * process is not to be trusted, and ends: whatever it had acknowledged is safe, and another takes
 * its place, which nobody does for one that only looks alive.
 */
final class InternalErrorHandler {

  private static final Logger LOG = LoggerFactory.getLogger(InternalErrorHandler.class);

  /** What Java itself ends with when it is told to exit for want of memory. */
  private static final int EXIT_STATUS = 3;

  private final RandomGenerator random;
  private final IntConsumer halt;

  InternalErrorHandler(RandomGenerator random) {
    this(random, Runtime.getRuntime()::halt);
  }

  /**
   * @param end ends the process with this status, at once
   */
  InternalErrorHandler(RandomGenerator random, IntConsumer end) {
    this.random = random;
    this.halt = end;
  }

  Response respond(Request request, Throwable fault) {
    if (fault instanceof VirtualMachineError && !(fault instanceof StackOverflowError)) {
      haltProcess(fault);
    }
    String id = HexFormat.of().toHexDigits(random.nextLong());
    LOG.error(
        "internal error {} in {} {}",
        id,
        request.method(),
        Redaction.tokens(request.path()),
        fault);
    return ProblemDocument.internalError(id);
  }

  /** Other threads may have ended where nobody noticed. */
  private void haltProcess(Throwable fault) {
    try {
      LOG.error("this process ends, since it cannot go on: {}", fault.toString());
    } finally {
      halt.accept(EXIT_STATUS);
    }
  }
}
