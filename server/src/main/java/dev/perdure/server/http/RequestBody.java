// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** What a request carries; read when somebody asks for it, and then once. */
@FunctionalInterface
public interface RequestBody {

  /** All of it; throws {@link HttpProblemException} when it is larger than allowed. */
  byte[] read();
}
