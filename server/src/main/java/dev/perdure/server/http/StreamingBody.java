// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** A body that is sent in chunks until one side ends it. */
@FunctionalInterface
public interface StreamingBody {

  /** Takes over the response, of which nothing is sent yet. Must not block the thread. */
  void open(ResponseStream stream);
}
