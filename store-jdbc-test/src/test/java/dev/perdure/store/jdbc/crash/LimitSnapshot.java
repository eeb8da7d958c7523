// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.task.TaskLimit;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the tables say about limits at one moment.
 *
 * @param used what is stored as in use, by key
 * @param freed the places of events that no claim has applied yet, by key
 * @param held how many claimed and running tasks have the limit, by key
 * @param max how much the limits on concurrency allow, by key
 * @param tasksByWorker how many of those tasks each worker process holds, by its name
 */
record LimitSnapshot(
    Map<String, Long> used,
    Map<String, Long> freed,
    Map<String, Long> held,
    Map<String, Long> max,
    Map<String, Long> tasksByWorker) {

  /** One statement, and therefore one snapshot of the database. */
  private static final String QUERY =
      """
      SELECT 'used' AS part, l.key AS name, l.used AS number
      FROM perdure_limit l
      UNION ALL
      SELECT 'max', l.key, l.max
      FROM perdure_limit l
      WHERE l.type = 'concurrency'
      UNION ALL
      SELECT 'freed', e.key, e.freed
      FROM perdure_limit_event e
      UNION ALL
      SELECT 'held', s.limits, 1
      FROM perdure_task_state s
      WHERE s.state IN ('claimed', 'running')
        AND s.limits IS NOT NULL
      UNION ALL
      SELECT 'worker', n.name, 1
      FROM perdure_task_state s
      JOIN perdure_node n
        ON n.id = s.owner
      WHERE s.state IN ('claimed', 'running')
        AND s.limits IS NOT NULL
      """;

  /** Opens a connection for each read, so that none stays open across a crash. */
  static LimitSnapshot read(String jdbcUrl) throws SQLException {
    Map<String, Map<String, Long>> parts = new HashMap<>();
    try (Connection connection = DriverManager.getConnection(jdbcUrl);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(QUERY)) {
      while (row.next()) {
        Map<String, Long> part =
            parts.computeIfAbsent(row.getString("part"), any -> new TreeMap<>());
        // A task has the keys of all its limits in one text.
        for (String name : TaskLimit.keys(row.getString("name"))) {
          part.merge(name, row.getLong("number"), Long::sum);
        }
      }
    }
    return new LimitSnapshot(
        parts.getOrDefault("used", Map.of()),
        parts.getOrDefault("freed", Map.of()),
        parts.getOrDefault("held", Map.of()),
        parts.getOrDefault("max", Map.of()),
        parts.getOrDefault("worker", Map.of()));
  }

  /** Returns the limits that have something in use, less the places that were freed. */
  Map<String, Long> inUse() {
    Map<String, Long> inUse = new TreeMap<>(used);
    freed.forEach((key, places) -> inUse.merge(key, -places, Long::sum));
    inUse.values().removeIf(places -> places == 0);
    return inUse;
  }

  /** Returns a description of each limit that counts wrong or is exceeded. */
  List<String> violations() {
    List<String> violations = new ArrayList<>();
    Map<String, Long> all = new TreeMap<>(used);
    held.forEach(all::putIfAbsent);
    for (String key : all.keySet()) {
      long inUse = used.getOrDefault(key, 0L);
      long free = freed.getOrDefault(key, 0L);
      long holding = held.getOrDefault(key, 0L);
      if (inUse - free != holding) {
        violations.add(
            "%s has %d in use, %d of them freed, but %d tasks hold it"
                .formatted(key, inUse, free, holding));
      }
      if (holding > max.getOrDefault(key, Long.MAX_VALUE)) {
        violations.add("%s is held by %d tasks of %d".formatted(key, holding, max.get(key)));
      }
    }
    return violations;
  }
}
