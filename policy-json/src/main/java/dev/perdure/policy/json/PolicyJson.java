// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.RetryPolicy;
import tools.jackson.databind.JsonNode;

/**
 * Reads policies in every dialect and writes them in the canonical form. Thread-safe.
 *
 * <p>An invalid text always causes an {@link dev.perdure.policy.InvalidPolicyException} that lists
 * all errors with their paths, and never another exception.
 */
public final class PolicyJson {

  /** The maximum length of a policy's text. */
  public static final int MAX_LENGTH = 64 * 1024;

  private PolicyJson() {}

  /** Reads a policy from text; {@code null} is {@link RetryPolicy#none()}. */
  public static RetryPolicy read(String text) {
    return WrittenPolicy.read(text).policy();
  }

  /** Reads a policy from a JSON value; null and a missing value are {@link RetryPolicy#none()}. */
  public static RetryPolicy read(JsonNode json) {
    return WrittenPolicy.read(json).policy();
  }

  /** Reads a policy from a JSON value and checks it against the limits of a server. */
  public static RetryPolicy read(JsonNode json, ServerPolicyLimits limits) {
    return PolicyReader.read(json, new FieldErrors(), limits).policy();
  }

  /** Returns true if a policy, other than a ladder, can have a field with this name. */
  public static boolean isPolicyField(String name) {
    return PolicyDialect.knows(name) && !PolicyDialect.LADDER.hasField(name);
  }

  /**
   * Writes the canonical form. It always has {@code max_retries}, {@code backoff} and {@code
   * jitter}, and the other fields if they differ from the default. Reading it returns an equal
   * policy.
   */
  public static JsonNode write(RetryPolicy policy) {
    return CanonicalWriter.write(policy);
  }
}
