// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Draws a graph with a row for each node, parents above their children.
 *
 * <p>Below a node begins its rail, which runs down to its last child. A child's row has a line that
 * leaves the rails of its parents and leads to the child on the right:
 *
 * <pre>
 * ✓ import
 * ├─✓ clean
 * ╰─│─✓ check
 *   ╰─┴─● report
 * </pre>
 *
 * <p>A graph with too many rails or crossings is drawn as a tree: each child below the last of its
 * parents, with a note that names the others. If it is too deep, chains run straight down.
 */
public final class GraphLayout {

  /** More rails than this side by side cannot be followed with the eye. */
  private static final int MAX_RAILS = 12;

  private static final int MAX_DEPTH = 12;
  private static final int MAX_NAMED = 3;

  private final List<GraphNode> nodes;
  private final boolean asTree;
  private final boolean chainsDown;
  private final List<Integer> order;

  /** The parents whose dependencies are drawn, for each node. */
  private final List<Map<Integer, Boolean>> drawnParents = new ArrayList<>();

  /** The number of drawn children that still follow, for each node. */
  private final int[] childrenLeft;

  private final int[] childCounts;
  private final int[] columns;
  private final boolean[] inChain;

  /** The node whose rail is in each column; −1 for none. */
  private final List<Integer> rails = new ArrayList<>();

  private int crossings;

  private GraphLayout(List<GraphNode> nodes, boolean asTree, boolean chainsDown) {
    this.nodes = nodes;
    this.asTree = asTree;
    this.chainsDown = chainsDown;
    this.order = parentsFirst(nodes);
    this.childrenLeft = new int[nodes.size()];
    this.columns = new int[nodes.size()];
    this.inChain = new boolean[nodes.size()];
    int[] rank = new int[nodes.size()];
    for (int i = 0; i < order.size(); i++) {
      rank[order.get(i)] = i;
    }
    for (GraphNode node : nodes) {
      Map<Integer, Boolean> parents = asTree ? lastOf(node.parents(), rank) : node.parents();
      drawnParents.add(parents);
      parents.keySet().forEach(parent -> childrenLeft[parent]++);
    }
    this.childCounts = childrenLeft.clone();
  }

  private static Map<Integer, Boolean> lastOf(Map<Integer, Boolean> parents, int[] rank) {
    return parents.entrySet().stream()
        .max((a, b) -> Integer.compare(rank[a.getKey()], rank[b.getKey()]))
        .map(last -> Map.of(last.getKey(), last.getValue()))
        .orElse(Map.of());
  }

  /** The rows; empty when the graph is too deep and too tangled to be drawn. */
  public static Optional<List<GraphRow>> rows(List<GraphNode> nodes) {
    return Stream.of(
            new GraphLayout(nodes, false, false),
            new GraphLayout(nodes, false, true),
            new GraphLayout(nodes, true, false),
            new GraphLayout(nodes, true, true))
        .flatMap(layout -> layout.draw().stream())
        .findFirst();
  }

  /** Every node below all its parents, and as close to the last of them as possible. */
  private static List<Integer> parentsFirst(List<GraphNode> nodes) {
    List<Map<Integer, Boolean>> children = TaskGraph.children(nodes);
    int[] unmet = nodes.stream().mapToInt(node -> node.parents().size()).toArray();
    List<Integer> order = new ArrayList<>();
    Deque<Integer> next = new ArrayDeque<>();
    for (int root = 0; root < nodes.size(); root++) {
      if (nodes.get(root).parents().isEmpty()) {
        next.push(root);
      }
      while (!next.isEmpty()) {
        int node = next.pop();
        order.add(node);
        List<Integer> ready = new ArrayList<>();
        for (int child : children.get(node).keySet()) {
          if (--unmet[child] == 0) {
            ready.add(child);
          }
        }
        Collections.reverse(ready);
        ready.forEach(next::push);
      }
    }
    return order;
  }

  private Optional<List<GraphRow>> draw() {
    List<GraphRow> rows = new ArrayList<>();
    for (int node : order) {
      String line = isBelowInChain(node) ? chainLine(node) : line(node);
      if (columns[node] > (asTree ? MAX_DEPTH : MAX_RAILS)) {
        return Optional.empty();
      }
      rows.add(new GraphRow(nodes.get(node), line, note(node)));
    }
    // With more crossings than rows, the lines are hard to follow.
    return crossings > rows.size() ? Optional.empty() : Optional.of(rows);
  }

  /** Names the parents whose dependencies are not drawn. */
  private String note(int node) {
    List<Integer> others = new ArrayList<>(nodes.get(node).parents().keySet());
    others.removeAll(drawnParents.get(node).keySet());
    List<Integer> named = others.stream().filter(each -> nodes.get(each).size() == 1).toList();
    if (others.size() > MAX_NAMED || named.size() < others.size()) {
      named = named.subList(0, Math.min(named.size(), MAX_NAMED - 1));
    }
    String names = named.stream().map(each -> name(node, each)).collect(Collectors.joining(", "));
    int rest = others.stream().mapToInt(each -> nodes.get(each).size()).sum() - named.size();
    return names + (rest == 0 ? "" : "%s%d more".formatted(names.isEmpty() ? "" : " and ", rest));
  }

  private String name(int child, int parent) {
    boolean required = nodes.get(child).parents().getOrDefault(parent, true);
    return nodes.get(parent).label() + (required ? "" : " (any outcome)");
  }

  private boolean isBelowInChain(int node) {
    if (!chainsDown || drawnParents.get(node).size() != 1) {
      return false;
    }
    int parent = drawnParents.get(node).keySet().iterator().next();
    return childCounts[parent] == 1 && rails.size() == columns[parent] + 1;
  }

  /** A node that stands straight below its only parent, whose only child it is. */
  private String chainLine(int node) {
    Map.Entry<Integer, Boolean> parent = drawnParents.get(node).entrySet().iterator().next();
    int column = columns[parent.getKey()] + (inChain[parent.getKey()] ? 0 : 1);
    childrenLeft[parent.getKey()]--;
    endRails();
    inChain[node] = true;
    place(node, column);
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < column - 1; i++) {
      line.append(rail(i) < 0 ? "  " : "│ ");
    }
    return line.append(parent.getValue() ? "↓ " : "⇣ ").toString();
  }

  private String line(int node) {
    Map<Integer, Boolean> byColumn = new HashMap<>();
    drawnParents.get(node).forEach((parent, required) -> byColumn.put(columns[parent], required));
    drawnParents.get(node).keySet().forEach(parent -> childrenLeft[parent]--);
    StringBuilder line = new StringBuilder();
    char across = ' ';
    int width = rails.size();
    for (int i = 0; i < width; i++) {
      Boolean required = byColumn.get(i);
      boolean goesOn = rail(i) >= 0 && childrenLeft[rail(i)] > 0;
      if (required == null) {
        line.append(goesOn ? '│' : across).append(across);
        crossings += goesOn && across != ' ' && !areSiblings(node, rail(i)) ? 1 : 0;
      } else {
        line.append(junction(across != ' ', goesOn)).append(required ? '─' : '╌');
        across = required || across == '─' ? '─' : '╌';
      }
    }
    endRails();
    // A root may stand further left, below rails that have ended.
    int column = byColumn.isEmpty() ? rails.size() : width;
    place(node, column);
    return line.substring(0, 2 * column);
  }

  /** The lines of siblings cross like stairs, which are easy to follow. */
  private boolean areSiblings(int a, int b) {
    return drawnParents.get(a).keySet().equals(drawnParents.get(b).keySet());
  }

  private static char junction(boolean fromLeft, boolean goesOn) {
    return fromLeft ? (goesOn ? '┼' : '┴') : goesOn ? '├' : '╰';
  }

  private int rail(int column) {
    return column < rails.size() ? rails.get(column) : -1;
  }

  private void endRails() {
    rails.replaceAll(node -> node >= 0 && childrenLeft[node] > 0 ? node : -1);
    while (!rails.isEmpty() && rails.getLast() < 0) {
      rails.removeLast();
    }
  }

  private void place(int node, int column) {
    columns[node] = column;
    while (rails.size() <= column) {
      rails.add(-1);
    }
    rails.set(column, node);
    if (childrenLeft[node] == 0) {
      endRails();
    }
  }
}
