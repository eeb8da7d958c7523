// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.util.List;
import java.util.UUID;

/** Nothing was stored because tasks that the submission depends on do not exist. */
public final class UnknownDependencyException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final transient List<UUID> tasks;

  UnknownDependencyException(List<UUID> tasks) {
    super("the submission depends on tasks that do not exist or have been deleted: " + tasks);
    this.tasks = List.copyOf(tasks);
  }

  /** The tasks that do not exist. */
  public List<UUID> tasks() {
    return tasks;
  }
}
