// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

@Tag("slow")
class GraphBenchTest {

  @Test
  void plots_every_graph_on_every_store(@TempDir Path folder) throws Exception {
    Path plot = folder.resolve("graphs.svg");

    GraphBench.main(new String[] {plot.toString(), "1", "20", "50"});

    Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(plot.toFile());
    assertThat(texts(svg))
        .contains(
            "chain fails, PostgreSQL",
            "chain fails, SQLite",
            "fan out, PostgreSQL",
            "fan in, SQLite",
            "tasks",
            "seconds");
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(12);
  }

  private static List<String> texts(Document svg) {
    NodeList elements = svg.getElementsByTagName("text");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < elements.getLength(); i++) {
      texts.add(elements.item(i).getTextContent());
    }
    return texts;
  }
}
