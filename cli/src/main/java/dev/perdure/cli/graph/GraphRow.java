// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.graph;

/**
 * A row of a drawn graph.
 *
 * @param rails the lines on the left of the node
 * @param note names the parents whose dependencies are not drawn; empty when there are none
 */
public record GraphRow(GraphNode node, String rails, String note) {}
