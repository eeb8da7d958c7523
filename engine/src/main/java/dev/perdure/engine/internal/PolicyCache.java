// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses stored policies and caches them, because most tasks share a few. Thread-safe. */
public final class PolicyCache {

  private static final int MAX_CACHED = 1_000;

  private final Map<String, RetryPolicy> cache = new LruMap();

  /** Parses the policy; throws InvalidPolicyException when the text is invalid. */
  public RetryPolicy read(@Nullable String text) {
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
