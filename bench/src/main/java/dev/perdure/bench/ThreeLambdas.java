// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

/** Three lambdas of the same type but of different classes. */
record ThreeLambdas<F>(F first, F second, F third) {

  F at(int turn) {
    return switch (turn) {
      case 0 -> first;
      case 1 -> second;
      default -> third;
    };
  }
}
