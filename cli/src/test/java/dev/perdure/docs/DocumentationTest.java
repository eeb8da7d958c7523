// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.CliContext;
import dev.perdure.cli.Perdure;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.server.ServerSettings;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the documentation: policies are valid, Java is compiled, commands print what the pages
 * show, and links resolve.
 */
class DocumentationTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```([^\\n]*)\\n(.*?)^```$");
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)[^)]*\\)");
  private static final String PROMPT = "$ ./perdure ";
  private static final String END = "(the end)";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private static List<Path> pages() {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(root, docs)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Block(Path page, String language, String text) {}

  private static Stream<Block> blocks(String language) {
    return pages().stream()
        .flatMap(
            page ->
                BLOCK
                    .matcher(read(page))
                    .results()
                    .map(hit -> new Block(page, hit.group(1), hit.group(2))))
        .filter(block -> block.language().equals(language));
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static DynamicTest test(Block block, Runnable check) {
    String firstLine = block.text().lines().findFirst().orElse("");
    return DynamicTest.dynamicTest(ROOT.relativize(block.page()) + ": " + firstLine, check::run);
  }

  @Test
  void finds_pages_and_blocks_to_check() {
    assertThat(pages()).hasSizeGreaterThan(5);
    assertThat(blocks("json")).hasSizeGreaterThan(3);
    assertThat(blocks("java")).hasSizeGreaterThan(1);
    assertThat(blocks("console")).hasSizeGreaterThan(3);
  }

  @TestFactory
  Stream<DynamicTest> policies_are_valid() {
    return blocks("json").map(block -> test(block, () -> PolicyJson.read(block.text())));
  }

  @TestFactory
  Stream<DynamicTest> java_blocks_are_part_of_compiled_files() {
    String compiled = unindented(snippetFiles());
    return blocks("java")
        .map(block -> test(block, () -> assertThat(compiled).contains(unindented(block.text()))));
  }

  @TestFactory
  Stream<DynamicTest> dependencies_are_modules_of_this_version() {
    String version = "<version>" + field(read(ROOT.resolve("pom.xml")), "version") + "</version>";
    return blocks("xml")
        .map(
            block ->
                test(
                    block,
                    () -> {
                      String artifact = field(block.text(), "artifactId");
                      Path module = ROOT.resolve(artifact.replaceFirst("^perdure-", ""));
                      assertThat(module.resolve("pom.xml")).content().contains(artifact);
                      assertThat(block.text()).contains(version);
                    }));
  }

  private static String field(String xml, String name) {
    Matcher matcher = Pattern.compile("<%s>(.*?)</%s>".formatted(name, name)).matcher(xml);
    assertThat(matcher.find()).as(name).isTrue();
    return matcher.group(1);
  }

  private static String snippetFiles() {
    // Not everything below the root: node_modules has tens of thousands of files.
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src"))
          .filter(Files::isDirectory)
          .flatMap(DocumentationTest::javaFiles)
          .filter(path -> path.getParent().endsWith("docs"))
          .map(DocumentationTest::read)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(path -> path.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The scripts that the server's tests run. */
  @TestFactory
  Stream<DynamicTest> javascript_blocks_are_part_of_tested_scripts() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("server-test/src/test/resources"))) {
      String scripts =
          files
              .filter(path -> path.toString().endsWith(".mjs"))
              .map(DocumentationTest::read)
              .collect(Collectors.joining("\n"));
      return blocks("js")
          .map(block -> test(block, () -> assertThat(scripts).contains(block.text())));
    }
  }

  private static String unindented(String code) {
    return code.lines().map(String::strip).collect(Collectors.joining("\n"));
  }

  @Test
  void the_snippets_run() {
    Snippets snippets = new Snippets();
    assertThat(snippets.decided(snippets.written(), new SplittableRandom(1)))
        .singleElement()
        .asString()
        .startsWith("attempt 1 in PT");
  }

  /** If the last line is {@code …}, the rest of the output may differ. */
  @TestFactory
  Stream<DynamicTest> commands_print_what_the_pages_show() {
    return blocks("console")
        .map(block -> test(block, () -> assertThat(actual(block)).startsWith(expected(block))));
  }

  private static String expected(Block block) {
    String text = block.text();
    return text.endsWith("\n…\n") ? text.substring(0, text.length() - 2) : text + END;
  }

  /** The commands of the block, each with its real output. */
  private static String actual(Block block) {
    return block
        .text()
        .lines()
        .filter(line -> line.startsWith(PROMPT))
        .flatMap(
            line ->
                Stream.concat(Stream.of(line), output(line.substring(PROMPT.length())).stream()))
        .collect(Collectors.joining("\n", "", "\n" + END));
  }

  private static List<String> output(String command) {
    Matcher words = WORD.matcher(command);
    String[] args =
        words
            .results()
            .map(hit -> hit.group(1) != null ? hit.group(1) : hit.group(2))
            .toArray(String[]::new);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    CliContext context =
        new CliContext(
            new ByteArrayInputStream(new byte[0]),
            stream,
            stream,
            Map.of("COLUMNS", "90", "PERDURE_CALL", "./perdure"),
            OptionalInt::empty,
            () -> false,
            Instant.parse("2026-01-01T00:00:00Z"));
    Perdure.run(context, args);
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @TestFactory
  Stream<DynamicTest> links_resolve() {
    return pages().stream()
        .flatMap(
            page ->
                LINK.matcher(read(page))
                    .results()
                    .map(hit -> page.resolveSibling(hit.group(1)).normalize()))
        .distinct()
        .map(
            target ->
                DynamicTest.dynamicTest(
                    ROOT.relativize(target).toString(), () -> assertThat(target).exists()));
  }

  @Test
  void every_block_in_yaml_is_a_configuration(@TempDir Path folder) throws IOException {
    List<String> blocks =
        pages().stream()
            .flatMap(page -> BLOCK.matcher(read(page)).results())
            .filter(hit -> hit.group(1).equals("yaml"))
            .map(hit -> hit.group(2))
            .toList();
    assertThat(blocks).isNotEmpty();
    for (String block : blocks) {
      Path file = Files.writeString(folder.resolve("perdure.yaml"), block);
      Configuration.of(
          ServerSettings.ALL,
          List.of(ConfigurationFile.read(ServerSettings.ALL, file)),
          Map.of(
              "TELEGRAM_TOKEN",
              "1:a",
              "SLACK_URL",
              "https://hooks.slack.com/services/T0",
              "HOOK_SECRET",
              "whsec_" + "c2VjcmV0".repeat(4)));
    }
  }

  @Test
  void every_block_has_a_known_language() {
    List<String> unknown =
        pages().stream()
            .flatMap(page -> BLOCK.matcher(read(page)).results().map(hit -> hit.group(1)))
            .filter(language -> !language.startsWith("java not compiled here: "))
            .filter(
                language ->
                    !List.of(
                            "json", "java", "js", "console", "sh", "text", "csharp", "kotlin",
                            "mermaid", "xml", "yaml")
                        .contains(language))
            .toList();
    assertThat(unknown).isEmpty();
  }
}
