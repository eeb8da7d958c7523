// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** What is sent in an answer that goes on until somebody ends it. */
@FunctionalInterface
public interface StreamingBody {

  /** Takes over the answer. Nothing has been sent yet, and the thread is not to be kept. */
  void open(ResponseStream responseStream);
}
