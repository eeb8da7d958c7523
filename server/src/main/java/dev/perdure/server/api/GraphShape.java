// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.TaskRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Identifies the form of a graph: the kinds of its tasks and its links, whatever the states of the
 * tasks. Graphs of the same shape can be drawn in the same places.
 */
final class GraphShape {

  private static final int BYTES = 16;
  private static final int OUTSIDE = -1;

  private GraphShape() {}

  /**
   * @param indexes the place of each task in the list
   */
  static String digest(List<TaskRow> tasks, List<Dependency> links, Map<UUID, Integer> indexes) {
    MessageDigest digest = sha256();
    ByteBuffer number = ByteBuffer.allocate(Integer.BYTES);
    digest.update(number.putInt(0, tasks.size()).array());
    for (TaskRow task : tasks) {
      byte[] kind = task.header().kind().getBytes(StandardCharsets.UTF_8);
      digest.update(number.putInt(0, kind.length).array());
      digest.update(kind);
    }
    for (Dependency link : links) {
      int parent = indexes.getOrDefault(link.parent(), OUTSIDE);
      digest.update(number.putInt(0, parent).array());
      digest.update(number.putInt(0, indexes.getOrDefault(link.child(), OUTSIDE)).array());
      digest.update((byte) (link.requiresSuccess() ? 1 : 0));
    }
    return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
