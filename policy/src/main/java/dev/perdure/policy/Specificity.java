// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

/** The ranks of a match. The gap below {@link #EXACT} has room for any depth of inheritance. */
final class Specificity {

  static final int NONE = 0;
  static final int ANY = 1;
  static final int KIND = 2;
  static final int CLASS = 3;
  static final int RANGE = 4;
  static final int EXACT = Integer.MAX_VALUE;

  private Specificity() {}

  /** The rank of an exception's own class (distance 0) or of a supertype so many steps away. */
  static int ofSupertype(int distance) {
    return Math.max(RANGE + 1, EXACT - distance);
  }
}
