// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.server.webhook.handle.Redaction;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Faults of ours: the log gets all of it, the caller an id to find it there. */
final class Faults {

  private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

  private final RandomGenerator random;

  Faults(RandomGenerator random) {
    this.random = random;
  }

  Response answer(Request request, Throwable fault) {
    String id = HexFormat.of().toHexDigits(random.nextLong());
    LOG.error("fault {} in {} {}", id, request.method(), Redaction.tokens(request.path()), fault);
    return ProblemDocument.ofFault(id);
  }
}
