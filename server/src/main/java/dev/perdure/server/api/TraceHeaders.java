// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.http.Request;
import java.util.List;
import java.util.Optional;

/**
 * The W3C Trace Context headers of a request. Invalid headers are ignored, as the standard
 * requires: a broken trace is no reason to refuse work.
 */
record TraceHeaders(Optional<TraceContext> parent) {

  /** For tasks that no request submits. */
  static final TraceHeaders NONE = new TraceHeaders(Optional.empty());

  static TraceHeaders of(Request request) {
    List<String> parents = request.headers().all("traceparent");
    List<String> states = request.headers().all("tracestate");
    if (parents.size() != 1) {
      return new TraceHeaders(Optional.empty());
    }
    String state = states.isEmpty() ? null : String.join(",", states);
    return new TraceHeaders(TraceContext.parse(parents.getFirst(), state));
  }

  /** Makes the request's span the trace parent of the tasks. */
  List<NewTask> applyTo(List<NewTask> tasks) {
    return parent
        .map(from -> tasks.stream().map(task -> task.traceParent(from)).toList())
        .orElse(tasks);
  }
}
