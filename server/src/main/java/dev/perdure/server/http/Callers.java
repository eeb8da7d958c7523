// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** Finds out who asks. */
@FunctionalInterface
public interface Callers {

  /** The caller that these headers speak for; throws {@link RefusedException} for a stranger. */
  Caller of(Headers headers);
}
