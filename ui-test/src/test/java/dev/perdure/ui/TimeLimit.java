// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

/**
 * The limits of tests that measure time. {@code -Dperdure.exact-times=true} applies them as they
 * are, for a machine that does nothing else. The build runs other tests at the same time, so there
 * they are five times as long: still short enough to notice what has become slow.
 */
final class TimeLimit {

  private static final int FACTOR = Boolean.getBoolean("perdure.exact-times") ? 1 : 5;

  private TimeLimit() {}

  static double ofMillis(double millis) {
    return millis * FACTOR;
  }
}
