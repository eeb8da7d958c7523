// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

/** Whether a library keeps a promise, and what was seen. */
record CheckResult(Outcome outcome, String evidence) {

  enum Outcome {
    HOLDS("holds"),
    FAILS("FAILS"),
    NOT_APPLICABLE("n/a");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  static CheckResult of(boolean holds, String evidence) {
    return new CheckResult(holds ? Outcome.HOLDS : Outcome.FAILS, evidence);
  }

  static CheckResult fails(String evidence) {
    return of(false, evidence);
  }

  /** "1 attempt", "2 attempts". */
  static String attempts(int count) {
    return count == 1 ? "1 attempt" : count + " attempts";
  }

  static CheckResult notApplicable(String why) {
    return new CheckResult(Outcome.NOT_APPLICABLE, why);
  }
}
