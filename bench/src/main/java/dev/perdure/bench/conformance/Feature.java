// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

/** What a case needs and not every library has. */
enum Feature {
  /** Calls that return a future, with no thread waiting. */
  ASYNC,
  /** A delay that the failure itself carries, such as a server's Retry-After. */
  DELAY_BY_FAILURE,
  /** A limit on the time of all attempts together. */
  TIME_LIMIT
}
