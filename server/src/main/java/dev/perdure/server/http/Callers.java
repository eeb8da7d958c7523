// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** Finds out who asks. */
@FunctionalInterface
public interface Callers {

  /**
   * The caller that these headers speak for, {@link Caller#STRANGER} when they speak for none;
   * throws {@link RefusedException} when they speak for one who may not come in.
   */
  Caller of(Headers headers);
}
