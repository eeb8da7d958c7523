// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

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
  public static final int MOST_CHARACTERS = 64 * 1024;

  private PolicyJson() {}

  /** The policy of this text; {@link RetryPolicy#none()} for {@code null}. */
  public static RetryPolicy read(String text) {
    throw new UnsupportedOperationException();
  }

  /** The policy of this JSON value. */
  public static RetryPolicy read(JsonNode json) {
    throw new UnsupportedOperationException();
  }

  /** The same, within the limits of a server. */
  public static RetryPolicy read(JsonNode json, ServerLimits limits) {
    throw new UnsupportedOperationException();
  }

  /** The canonical form. */
  public static JsonNode write(RetryPolicy policy) {
    throw new UnsupportedOperationException();
  }
}
