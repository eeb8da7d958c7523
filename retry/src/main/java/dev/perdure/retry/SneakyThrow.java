// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/**
 * Rethrows a checked exception without declaring it. That is safe here, because the signature of
 * the call declares it.
 */
final class SneakyThrow {
  private SneakyThrow() {}

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <X extends Throwable> X rethrow(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
