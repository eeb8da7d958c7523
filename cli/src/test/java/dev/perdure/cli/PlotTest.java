// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PlotTest {

  @TempDir Path folder;

  static Stream<List<String>> commands() {
    return Stream.of(
        List.of("explain", "http"),
        List.of(
            "explain", "[{\"count\":9,\"delay_minutes\":5},{\"count\":0,\"delay_minutes\":1440}]"),
        List.of("explain", "{\"backoff\":{\"type\":\"immediate\"}}"),
        List.of("explain", "{\"max_retries\":0}"),
        List.of(
            "explain",
            "{\"backoff\":{\"type\":\"fixed\",\"delay\":\"3650d\"},\"max_retries\":999}"),
        List.of("simulate", "http", "--capacity", "100"),
        List.of("simulate", "http", "--capacity", "1", "--horizon", "1h"));
  }

  private Path plot(List<String> command, String name) {
    Path file = folder.resolve(name);
    List<String> args = new ArrayList<>(command);
    args.addAll(List.of("--plot", file.toString()));
    CliResult result = perdure(args.toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("Plot written to ");
    return file;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void an_svg_is_well_formed_and_stays_within_its_bounds(List<String> command) throws Exception {
    Document svg = parse(plot(command, "picture.svg"));

    Element root = svg.getDocumentElement();
    String[] box = root.getAttribute("viewBox").split(" ", -1);
    double width = Double.parseDouble(box[2]);
    double height = Double.parseDouble(box[3]);
    assertThat(root.getAttribute("width")).isEqualTo(box[2]);
    assertThat(svg.getElementsByTagName("style").item(0).getTextContent())
        .contains("@media (prefers-color-scheme:dark)");
    for (Element text : elements(svg, "text")) {
      assertThat(text.getTextContent()).isNotBlank();
      assertThat(Double.parseDouble(text.getAttribute("x"))).isBetween(0.0, width);
      assertThat(Double.parseDouble(text.getAttribute("y"))).isBetween(0.0, height);
    }
    for (Element shape : elements(svg, "polyline")) {
      for (String point : shape.getAttribute("points").split(" ", -1)) {
        assertThat(Double.parseDouble(point.split(",", -1)[0])).isBetween(0.0, width);
        assertThat(Double.parseDouble(point.split(",", -1)[1])).isBetween(0.0, height);
      }
    }
  }

  @Test
  void an_svg_labels_what_it_shows() throws Exception {
    Document explain = parse(plot(List.of("explain", "http"), "explain.svg"));
    assertThat(texts(explain)).contains("retry 1", "retry 4", "1.5s … 2.5s", "gives up: exhausted");

    Document simulate =
        parse(plot(List.of("simulate", "http", "--capacity", "100"), "simulate.svg"));
    assertThat(texts(simulate))
        .contains("attempts sent", "capacity", "outage", "30s")
        .anyMatch(text -> text.startsWith("this policy: "))
        .anyMatch(text -> text.startsWith("10 % budget: "));
  }

  @Test
  void a_retry_is_drawn_at_its_time() throws Exception {
    Document svg =
        parse(
            plot(
                List.of(
                    "explain",
                    "{\"backoff\":{\"type\":\"fixed\",\"delay\":\"10s\"},\"max_retries\":3,\"jitter\":\"none\"}"),
                "fixed.svg"));

    List<Double> marks =
        elements(svg, "rect").stream()
            .filter(rect -> rect.getAttribute("class").equals("expected"))
            .skip(1)
            .map(rect -> Double.parseDouble(rect.getAttribute("x")))
            .toList();
    assertThat(marks).hasSize(3);
    assertThat(marks.get(2) - marks.get(1)).isCloseTo(marks.get(1) - marks.get(0), within(0.2));
  }

  @Test
  void a_plot_can_be_combined_with_json() {
    Path file = folder.resolve("picture.svg");

    CliResult result = perdure("explain", "http", "--json", "--plot", file.toString());

    assertThat(result.json()).hasSize(5);
    assertThat(file).isNotEmptyFile();
  }

  @Test
  void an_invalid_file_name_is_refused_and_nothing_is_written() throws IOException {
    Path directory = Files.createDirectory(folder.resolve("directory.svg"));
    for (String name :
        List.of("picture.png", "svg", directory.toString(), folder + "/none/picture.svg")) {
      CliResult result = perdure("simulate", "http", "--plot", name);

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).startsWith("perdure: --plot: ").hasLineCount(1);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(directory);
    }
  }

  @Test
  void a_plot_replaces_an_existing_file_and_leaves_no_others() throws IOException {
    Path file = Files.writeString(folder.resolve("picture.svg"), "old");

    plot(List.of("explain", "http"), "picture.svg");

    assertThat(file).content().startsWith("<svg ").endsWith("</svg>\n");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }
  }

  private static Document parse(Path svg) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
  }

  private static List<Element> elements(Document svg, String name) {
    NodeList nodes = svg.getElementsByTagName(name);
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).toList();
  }

  private static List<String> texts(Document svg) {
    return elements(svg, "text").stream().map(Element::getTextContent).toList();
  }
}
