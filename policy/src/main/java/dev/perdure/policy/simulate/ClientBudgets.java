// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

/**
 * One retry budget per client, as a token bucket. A new request adds a fraction of a token, and a
 * retry takes a whole one. A bucket starts empty and holds at most {@value #MAX_TOKENS} tokens.
 * Full buckets would give 1,000 clients 10,000 extra retries, all of them in the simulated outage.
 *
 * <p>Tokens are counted in millionths, because ten times 0.1 is not exactly 1 in floating point.
 */
final class ClientBudgets {

  static final int MAX_TOKENS = 10;

  private static final long TOKEN = 1_000_000;

  private final long deposit;
  private final long[] tokens;

  private ClientBudgets(long deposit, int clients) {
    this.deposit = deposit;
    this.tokens = new long[clients];
  }

  /** Allows this many retries per request. */
  static ClientBudgets of(double retriesPerRequest, int clients) {
    return new ClientBudgets(Math.round(retriesPerRequest * TOKEN), clients);
  }

  /** Allows every retry. */
  static ClientBudgets unlimited() {
    return new ClientBudgets(0, 0);
  }

  void deposit(int client) {
    if (tokens.length > 0) {
      tokens[client] = Math.min(tokens[client] + deposit, MAX_TOKENS * TOKEN);
    }
  }

  /** Takes a token for a retry; returns false if there is none. */
  boolean take(int client) {
    if (tokens.length == 0) {
      return true;
    }
    if (tokens[client] < TOKEN) {
      return false;
    }
    tokens[client] -= TOKEN;
    return true;
  }
}
