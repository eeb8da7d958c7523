// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

/**
 * A way to try an operation again, made once and reused as its documentation says: three retries,
 * no delay, any exception.
 */
interface SyncContender {

  /** With a lambda made on the spot, as most callers write it. */
  String call() throws Exception;

  /** With one of three lambdas made before, so that no call inside the library is predictable. */
  String callMegamorphic(int turn) throws Exception;

  /** Loads the classes of this contender and of no other. */
  static SyncContender of(String name, Operation operation) {
    return switch (name) {
      case "loop" -> new HandWrittenLoop(operation);
      case "perdure" -> new PerdureCalls(operation);
      case "failsafe" -> new FailsafeCalls(operation);
      case "resilience4j" -> new Resilience4jCalls(operation);
      case "spring" -> new SpringCalls(operation);
      case "spring-retry" -> new SpringRetryCalls(operation);
      default -> throw new IllegalArgumentException("no contender is called " + name);
    };
  }
}
