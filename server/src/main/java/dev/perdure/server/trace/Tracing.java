// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.engine.TaskTracer;
import dev.perdure.engine.task.TraceContext;
import java.util.UUID;

/** Records attempts and the calls that they cause. Safe to share; never waits for a collector. */
public interface Tracing extends TaskTracer, AutoCloseable {

  /** Records nothing, and passes on what came in. */
  Tracing OFF = new NoopTracing();

  /** A call is about to be made; {@code cause} is the parent of its span. */
  CallSpan startCall(TraceContext cause, Call call);

  /** Sends what was recorded, if that can be done in a moment. */
  @Override
  void close();

  /**
   * What a span tells of a call. Neither path nor query, which may hold secrets.
   *
   * @param task whom the call is for
   * @param trigger what it is about
   */
  record Call(UUID task, String trigger, String method, String host, int port) {}
}
