// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.ClusterInfo;
import dev.perdure.policy.InstantText;

/** Prints the nodes of a cluster for people. */
public final class ClusterText {

  private ClusterText() {}

  public static void print(TerminalWriter writer, ClusterInfo cluster) {
    if (cluster.nodes().isEmpty()) {
      writer.paragraph("No node is ready for work yet.");
    } else {
      table(writer, cluster);
    }
    writer.blank();
    writer.paragraph(
        "%s answered; it runs version %s since %s."
            .formatted(cluster.name(), cluster.version(), InstantText.of(cluster.startedAt())),
        AnsiStyle.FAINT);
  }

  private static void table(TerminalWriter writer, ClusterInfo cluster) {
    new FittedTable<ClusterInfo.Member>()
        .left("name", node -> StyledText.of(node.name()))
        .left("state", node -> StyledText.of(node.state()))
        .left("id", node -> StyledText.of(node.id().toString()))
        .wrapped("kinds it runs", node -> StyledText.of(String.join(", ", node.kinds())))
        .print(writer, cluster.nodes());
  }
}
