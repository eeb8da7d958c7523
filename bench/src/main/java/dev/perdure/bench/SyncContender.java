// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

/**
 * A library that retries a synchronous call: three retries, no delay, any exception. It is
 * configured once and reused, as its documentation recommends.
 */
interface SyncContender {

  /** Calls with a lambda created at the call site, as most callers do. */
  String call() throws Exception;

  /**
   * Calls with one of three lambdas created earlier, so that the compiler cannot predict the call
   * inside the library.
   */
  String callMegamorphic(int turn) throws Exception;

  /** Creates a contender. Classes of the other contenders are not loaded. */
  static SyncContender of(String name, Operation operation) {
    return switch (name) {
      case "loop" -> new HandWrittenLoop(operation);
      case "perdure" -> new PerdureCalls(operation);
      case "failsafe" -> new FailsafeCalls(operation);
      case "resilience4j" -> new Resilience4jCalls(operation);
      case "spring" -> new SpringCalls(operation);
      case "spring-retry" -> new SpringRetryCalls(operation);
      default -> throw new IllegalArgumentException("Unknown contender: " + name);
    };
  }
}
