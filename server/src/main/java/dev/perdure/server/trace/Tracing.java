// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.engine.TaskTracer;
import dev.perdure.engine.task.TraceContext;
import java.util.UUID;

/** Records spans of attempts and of webhook calls. Thread-safe; never waits for a collector. */
public interface Tracing extends TaskTracer, AutoCloseable {

  /** Records nothing and passes on the submitter's trace context. */
  Tracing OFF = new NoopTracing();

  /** Starts the span of a call, below this parent. */
  CallSpan startCall(TraceContext parent, Call call);

  /** Sends the remaining spans, if that is possible within a short time. */
  @Override
  void close();

  /**
   * The attributes of a call. Path and query are left out, because they may contain secrets.
   *
   * @param task the task that the call is about
   * @param trigger why the call is made, such as {@code on_start}
   */
  record Call(UUID task, String trigger, String method, String host, int port) {}
}
