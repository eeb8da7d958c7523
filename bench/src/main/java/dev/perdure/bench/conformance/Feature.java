// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

/** A feature that some cases need and some libraries lack. */
enum Feature {
  /** Calls that return a future and block no thread while they wait. */
  ASYNC,
  /** A delay that the failure itself carries, such as a server's Retry-After. */
  DELAY_BY_FAILURE,
  /** A limit on the total time of all attempts. */
  TIME_LIMIT
}
