// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

/** Whether a library keeps a promise, and what was seen. */
record Verdict(Outcome outcome, String evidence) {

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

  static Verdict of(boolean holds, String evidence) {
    return new Verdict(holds ? Outcome.HOLDS : Outcome.FAILS, evidence);
  }

  static Verdict fails(String evidence) {
    return of(false, evidence);
  }

  /** "1 attempt", "2 attempts". */
  static String attempts(int count) {
    return count == 1 ? "1 attempt" : count + " attempts";
  }

  static Verdict notApplicable(String why) {
    return new Verdict(Outcome.NOT_APPLICABLE, why);
  }
}
