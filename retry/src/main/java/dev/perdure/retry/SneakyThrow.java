// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/** Throws what a call threw as if it were declared: it is, by the call's own signature. */
final class SneakyThrow {
  private SneakyThrow() {}

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <X extends Throwable> X rethrow(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
