// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The errors of tasks, those that failed last first.
 *
 * @param from where the time begins that was looked at
 * @param step the length of each part of a group's spark
 * @param complete false when there are more groups, or more retries than were looked at
 */
public record ErrorGroups(Instant from, Duration step, List<ErrorGroup> groups, boolean complete) {

  public ErrorGroups {
    groups = List.copyOf(groups);
  }
}
