// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.http.Request;
import java.util.List;
import java.util.Optional;

/**
 * Where in a trace a request comes from, by the headers of W3C Trace Context. What is not right is
 * passed over, as they want it: a trace is not worth refusing work for.
 */
record TraceHeaders(Optional<TraceContext> parent) {

  static TraceHeaders of(Request request) {
    List<String> parents = request.headers().all("traceparent");
    List<String> states = request.headers().all("tracestate");
    if (parents.size() != 1) {
      return new TraceHeaders(Optional.empty());
    }
    String state = states.isEmpty() ? null : String.join(",", states);
    return new TraceHeaders(TraceContext.parse(parents.getFirst(), state));
  }

  /** The tasks as they are submitted from there. */
  List<NewTask> applyTo(List<NewTask> tasks) {
    return parent
        .map(from -> tasks.stream().map(task -> task.traceParent(from)).toList())
        .orElse(tasks);
  }
}
