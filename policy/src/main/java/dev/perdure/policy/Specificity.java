// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

/**
 * How specific a match is. The gap below {@link #EXACT} leaves room for any depth of inheritance.
 */
final class Specificity {

  static final int NONE = 0;
  static final int ANY = 1;
  static final int KIND = 2;
  static final int CLASS = 3;
  static final int RANGE = 4;
  static final int EXACT = Integer.MAX_VALUE;

  private Specificity() {}

  /**
   * Returns the rank of an exception's own class (distance 0) or of a supertype this many levels
   * up.
   */
  static int ofSupertype(int distance) {
    return Math.max(RANGE + 1, EXACT - distance);
  }
}
