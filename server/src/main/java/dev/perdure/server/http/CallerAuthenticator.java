// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** Finds out who asks. */
@FunctionalInterface
public interface CallerAuthenticator {

  /**
   * The caller that these headers speak for, {@link Caller#UNAUTHENTICATED} when they speak for
   * none; throws {@link HttpProblemException} when they speak for one who may not come in.
   */
  Caller authenticate(Headers headers);
}
