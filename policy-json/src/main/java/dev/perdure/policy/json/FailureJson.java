// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Failure;
import tools.jackson.databind.JsonNode;

/**
 * Reads failures: {@code {"kind": "http", "status": 503, "code": …, "exception_types": […],
 * "retry_after_ms": …, "asked_delay_ms": …, "permanent": …, "message": …}}; only {@code kind} is
 * required.
 */
public final class FailureJson {

  private FailureJson() {}

  /** The failure of this JSON object; throws {@code InvalidPolicyException} with all problems. */
  public static Failure read(JsonNode json) {
    throw new UnsupportedOperationException();
  }

  /** The failure of this text. */
  public static Failure read(String text) {
    throw new UnsupportedOperationException();
  }
}
