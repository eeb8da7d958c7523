// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** Answers one request, on a thread that may block. */
@FunctionalInterface
public interface RequestHandler {

  /** The answer; throws {@link HttpProblemException} when there is none to give. */
  Response handle(Request request);
}
