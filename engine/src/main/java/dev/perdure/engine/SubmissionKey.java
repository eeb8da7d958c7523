// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import org.jspecify.annotations.Nullable;

/**
 * Makes a submission repeatable: within 24 hours the same key means the same tasks. Handlers do not
 * see it; what they pass on is {@link NewTask#idempotencyKeyForHandler}.
 *
 * @param scope the owner of the key; the same text in another scope is another key
 * @param content what the tasks were made from, if that is better to compare than the tasks
 *     themselves; null compares the tasks
 */
public record SubmissionKey(String scope, String key, @Nullable String content) {

  /** Maximum length of a key, in characters. */
  public static final int MAX_CHARACTERS = 255;

  public SubmissionKey {
    if (key.isEmpty() || key.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "key: must have 1 to " + MAX_CHARACTERS + " characters, not " + key.length());
    }
  }

  /** A key that the whole program shares. */
  public static SubmissionKey of(String key) {
    return new SubmissionKey("", key, null);
  }
}
