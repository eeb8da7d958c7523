// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.CliContext;
import dev.perdure.cli.Perdure;
import dev.perdure.cli.text.WatchText;
import dev.perdure.cli.watch.CappedCount;
import dev.perdure.cli.watch.StatusCounts;
import dev.perdure.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the session of the guide; ids and times differ each time. */
class CommandLineGuideTest {

  private static final Path GUIDE = Path.of("../docs/guides/command-line.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```text\\n(.*?)^```$");
  private static final Pattern ID =
      Pattern.compile(
          "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\\b[0-9a-f]{4}-[0-9a-f]{4}-7[0-9a-f]{3}\\b");
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z|\\b(now|in \\w+( \\w+)?|\\d+\\w+ ago)\\b");
  private static final String PROMPT = "$ ./perdure ";

  @TempDir private Path folder;
  private final List<String> shownIds = new ArrayList<>();
  private final List<String> realIds = new ArrayList<>();

  @Test
  void prints_what_the_guide_shows() throws IOException {
    List<String> blocks =
        BLOCK.matcher(Files.readString(GUIDE)).results().map(hit -> hit.group(1)).toList();
    String tasks = blocks.stream().filter(block -> block.startsWith("[")).findFirst().orElseThrow();
    Path file = Files.writeString(folder.resolve("tasks.json"), tasks);
    List<String> session = blocks.stream().filter(block -> block.startsWith(PROMPT)).toList();
    assertThat(session).hasSizeGreaterThan(3);
    try (TestServer server = TestServer.in(folder)) {
      for (String block : session) {
        remember(shownIds, block);
        assertThat(plain(actual(server, block, file))).isEqualTo(plain(block));
      }
    }
  }

  @Test
  void shows_lines_as_watch_prints_them() throws IOException {
    List<String> lines =
        BLOCK
            .matcher(Files.readString(GUIDE))
            .results()
            .flatMap(hit -> hit.group(1).lines())
            .filter(line -> line.contains(" ended: "))
            .toList();

    assertThat(lines).hasSizeGreaterThan(2);
    assertThat(lines).allSatisfy(line -> assertThat(line).isEqualTo(WatchText.line(counts(line))));
  }

  /** The counts in a line. */
  private static StatusCounts counts(String line) {
    Map<String, CappedCount> cappedCounts = new LinkedHashMap<>();
    Matcher count = Pattern.compile("(\\d+) ([A-Z]\\w+)").matcher(line);
    long all = 0;
    long ended = 0;
    while (count.find()) {
      long number = Long.parseLong(count.group(1));
      cappedCounts.put(count.group(2), new CappedCount(number, false));
      all += number;
      ended += StatusCounts.ENDED.contains(count.group(2)) ? number : 0;
    }
    return new StatusCounts(
        new CappedCount(ended, false),
        new CappedCount(all - ended, false),
        cappedCounts,
        List.of(),
        List.of(),
        Instant.EPOCH,
        Optional.empty(),
        Optional.empty());
  }

  private String actual(TestServer server, String block, Path file) {
    StringBuilder actual = new StringBuilder();
    for (String line : block.lines().filter(line -> line.startsWith(PROMPT)).toList()) {
      String call = line.substring(PROMPT.length()).replace("tasks.json", file.toString());
      for (int i = 0; i < realIds.size(); i++) {
        call = call.replace(shownIds.get(i), realIds.get(i));
      }
      String output = run(server, call.split(" ", -1));
      remember(realIds, output);
      actual.append(line).append('\n').append(output);
    }
    return actual.toString();
  }

  private static String run(TestServer server, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    Map<String, String> environment =
        Map.of(
            "COLUMNS", "90",
            "PERDURE_CALL", "./perdure",
            "PERDURE_URL", server.url().toString());
    int code =
        Perdure.run(
            new CliContext(
                new ByteArrayInputStream(new byte[0]),
                stream,
                stream,
                environment,
                OptionalInt::empty,
                () -> false,
                Instant.EPOCH),
            args);
    String output = out.toString(StandardCharsets.UTF_8);
    assertThat(code).as(output).isZero();
    return output;
  }

  /** The n-th id of the guide corresponds to the n-th real one. */
  private static void remember(List<String> ids, String text) {
    ID.matcher(text)
        .results()
        .map(MatchResult::group)
        .filter(id -> !ids.contains(id))
        .forEach(ids::add);
  }

  private static String plain(String text) {
    String timeless = TIME.matcher(ID.matcher(text).replaceAll("ID")).replaceAll("TIME");
    return timeless.replaceAll("\\b[0-9a-f]{32}\\b", "TRACE").replaceAll(" +", " ");
  }
}
