// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** The body of a request. It can be read once. */
@FunctionalInterface
public interface RequestBody {

  /** Reads the whole body; throws {@link HttpProblemException} if it is too large. */
  byte[] read();
}
