// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.TaskAction;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Role;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a caller can do with a task: what the task's state and the caller's role both allow. */
final class AllowedActions {

  private final Caller caller;
  private final Instant now;

  AllowedActions(Caller caller, Instant now) {
    this.caller = caller;
    this.now = now;
  }

  /** For a row of a list, whatever the run of its batch. */
  ArrayNode of(TaskRow task) {
    return of(task, true);
  }

  ArrayNode of(TaskRow task, boolean ofCurrentRun) {
    Predicate<TaskAction> fitsRun = action -> ofCurrentRun || !action.needsCurrentRun();
    List<TaskAction> possible = TaskAction.allowedOn(task, now);
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    possible.stream()
        .filter(action -> caller.may(role(action)))
        .filter(fitsRun)
        .forEach(action -> json.add(action.text()));
    return json;
  }

  /** The role of the route that runs the action. */
  private static Role role(TaskAction action) {
    return switch (action) {
      case RETRY_NOW, RETRY_AT, REVIVE, PAUSE, RESUME, CANCEL -> Role.OPERATE;
      case SETTLE, RESOLVE -> Role.ADMIN;
    };
  }
}
