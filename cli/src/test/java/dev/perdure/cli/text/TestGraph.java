// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.graph.TaskGraph;
import dev.perdure.client.BatchGraph;
import dev.perdure.client.DependencyInfo;
import dev.perdure.client.TaskInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Builds graphs by the names of their tasks. */
final class TestGraph {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String ENDED = NOW.minusSeconds(120).toString();

  private final Map<String, TaskInfo> tasks = new LinkedHashMap<>();
  private final List<DependencyInfo> links = new ArrayList<>();

  /** Adds a task with its parents; a name that ends in a tilde need not succeed. */
  TestGraph task(String name, String status, String... parents) {
    TaskInfo task = TaskInfo.of(json(id(name), name, status));
    tasks.put(name, task);
    for (String parent : parents) {
      boolean required = !parent.endsWith("~");
      String plain = required ? parent : parent.substring(0, parent.length() - 1);
      links.add(new DependencyInfo(id(plain), task.id(), required));
    }
    return this;
  }

  /** The same id for the same name. */
  static UUID id(String name) {
    return UUID.fromString(
        "019ca1c2-f7e0-7%03x-8000-0000%08x".formatted(name.hashCode() & 0xfff, name.hashCode()));
  }

  static ObjectNode json(UUID id, String name, String status) {
    ObjectNode json =
        (ObjectNode)
            JsonMapper.shared()
                .readTree(
                    """
                    {"id": "ID", "batch_id": "ID", "run": 1, "kind": "sql", "status": "STATUS",
                     "attempt": 0, "epoch": 0, "priority": 0, "paused": false, "losses": 0,
                     "created_at": "NOW", "run_at": "NOW", "last_updated": "NOW"}"""
                        .replace("ID", id.toString())
                        .replace("STATUS", status)
                        .replace("NOW", NOW.toString()));
    json.put("name", name);
    switch (status) {
      case "Success", "Failure", "Canceled" -> json.put("ended_at", ENDED);
      case "Running" -> json.put("started_at", NOW.minusSeconds(5).toString());
      case "RetryPending" -> json.put("run_at", NOW.plusSeconds(30).toString());
      default -> {}
    }
    return json;
  }

  BatchGraph build() {
    return new BatchGraph(List.copyOf(tasks.values()), links, false);
  }

  /** The drawing at this width, without colors. */
  String draw(int width) {
    return GraphText.lines(TaskGraph.of(build()), GraphText.MAX_ROWS, width, NOW).stream()
        .map(
            line ->
                line.stream().map(StyledText::text).collect(Collectors.joining()).stripTrailing())
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
