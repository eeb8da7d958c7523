// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.RetryPolicy;
import tools.jackson.databind.JsonNode;

/**
 * Reads policies in every form and writes them in the canonical one. Immutable, safe to share.
 *
 * <p>Whatever is wrong with the text, reading it throws an {@link
 * dev.perdure.policy.InvalidPolicyException} that names every problem with its path, and nothing
 * else.
 */
public final class PolicyJson {

  /** The most characters of a policy's text. */
  public static final int MAX_LENGTH = 64 * 1024;

  private PolicyJson() {}

  /** The policy of this text; {@link RetryPolicy#none()} for {@code null}. */
  public static RetryPolicy read(String text) {
    FieldErrors fieldErrors = new FieldErrors();
    return PolicyReader.read(StrictJsonParser.parse(text, fieldErrors), fieldErrors);
  }

  /** The policy of this JSON value; {@link RetryPolicy#none()} for null and for a missing one. */
  public static RetryPolicy read(JsonNode json) {
    return PolicyReader.read(json, new FieldErrors());
  }

  /** The same, within the limits of a server. */
  public static RetryPolicy read(JsonNode json, ServerPolicyLimits limits) {
    return PolicyReader.read(json, new FieldErrors(), limits);
  }

  /**
   * The canonical form: {@code max_retries}, {@code backoff} and {@code jitter} always, everything
   * else where it differs from the default. Reading it gives an equal policy.
   */
  public static JsonNode write(RetryPolicy policy) {
    return CanonicalWriter.write(policy);
  }
}
