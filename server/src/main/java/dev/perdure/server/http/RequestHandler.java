// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** Handles one request, on a thread that may block. */
@FunctionalInterface
public interface RequestHandler {

  /** Returns the response, or throws {@link HttpProblemException}. */
  Response handle(Request request);
}
