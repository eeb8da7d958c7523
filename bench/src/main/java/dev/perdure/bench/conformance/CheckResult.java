// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

/** Whether a library meets a requirement, and the observation behind it. */
record CheckResult(Outcome outcome, String evidence) {

  enum Outcome {
    PASSES("pass"),
    FAILS("FAIL"),
    NOT_APPLICABLE("n/a");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  static CheckResult of(boolean passes, String evidence) {
    return new CheckResult(passes ? Outcome.PASSES : Outcome.FAILS, evidence);
  }

  static CheckResult fails(String evidence) {
    return of(false, evidence);
  }

  /** Formats a number of attempts: "1 attempt", "2 attempts". */
  static String attempts(int count) {
    return count == 1 ? "1 attempt" : count + " attempts";
  }

  static CheckResult notApplicable(String reason) {
    return new CheckResult(Outcome.NOT_APPLICABLE, reason);
  }
}
