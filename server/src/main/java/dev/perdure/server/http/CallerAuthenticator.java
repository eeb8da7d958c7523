// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** Finds out who sent a request. */
@FunctionalInterface
public interface CallerAuthenticator {

  /**
   * The caller that the headers of a request identify, or {@link Caller#UNAUTHENTICATED} if they
   * identify none.
   *
   * @throws HttpProblemException if they carry an invalid, expired or revoked key
   */
  Caller authenticate(Request request);
}
