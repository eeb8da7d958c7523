// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

/**
 * A token bucket for each client: a new request puts a part of a token in, a retry takes a whole
 * one out. A bucket starts empty and holds at most {@value #MAX_TOKENS}. Starting full would give
 * 1,000 clients 10,000 retries on top of their share, just for the outage that is looked at.
 *
 * <p>Counted in millionths, since ten times 0.1 is not 1 in floating point.
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

  /** So many retries per request. */
  static ClientBudgets of(double retriesPerRequest, int clients) {
    return new ClientBudgets(Math.round(retriesPerRequest * TOKEN), clients);
  }

  /** Every retry is allowed. */
  static ClientBudgets unlimited() {
    return new ClientBudgets(0, 0);
  }

  void deposit(int client) {
    if (tokens.length > 0) {
      tokens[client] = Math.min(tokens[client] + deposit, MAX_TOKENS * TOKEN);
    }
  }

  /** Takes a token for a retry; false when there is none. */
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
