// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads stored policies, most of which are the same few. Safe to share. */
final class PolicyCache {

  private static final int MAX_CACHED = 1_000;

  private final Map<String, RetryPolicy> cache = new LruMap();

  /** The policy of this text; throws InvalidPolicyException when it cannot be read. */
  RetryPolicy read(@Nullable String text) {
    if (text == null) {
      return RetryPolicy.none();
    }
    synchronized (cache) {
      RetryPolicy known = cache.get(text);
      if (known != null) {
        return known;
      }
    }
    RetryPolicy policy = PolicyJson.read(text);
    synchronized (cache) {
      cache.put(text, policy);
    }
    return policy;
  }

  /**
   * After this attempt, counted from 0; null means without limit, an unreadable policy has none.
   */
  static @Nullable Long retriesLeft(@Nullable String text, long attempt) {
    if (text == null) {
      return 0L;
    }
    RetryPolicy policy;
    try {
      policy = PolicyJson.read(text);
    } catch (InvalidPolicyException unreadable) {
      return 0L;
    }
    boolean limited = !policy.maxRetries().unlimited();
    long most = limited ? policy.maxRetries().retries() : Long.MAX_VALUE;
    if (policy.backoff() instanceof Backoff.Ladder ladder && !ladder.endless()) {
      most = Math.min(most, ladder.steps().stream().mapToLong(Backoff.Step::count).sum());
    }
    return most == Long.MAX_VALUE ? null : Math.max(0, most - attempt);
  }

  private static final class LruMap extends LinkedHashMap<String, RetryPolicy> {

    private static final long serialVersionUID = 1;

    LruMap() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, RetryPolicy> eldest) {
      return size() > MAX_CACHED;
    }
  }
}
