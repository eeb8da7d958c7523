// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The page {@code docs/performance.md}, and the commands in it. */
public final class PerformanceDocument {

  private static final Path PAGE = Path.of("..", "docs", "performance.md");
  private static final String CLASS_PATH_COMMAND = "java -cp bench/target/bench.jar ";
  private static final String JMH_COMMAND = "java -jar bench/target/bench.jar ";
  private static final Pattern SPACES = Pattern.compile(" +");

  private PerformanceDocument() {}

  public static String text() {
    try {
      return Files.readString(PAGE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The arguments of every command that runs this class. */
  public static List<String[]> argumentsOf(Class<?> mainClass) {
    String command = CLASS_PATH_COMMAND + mainClass.getName();
    return text()
        .lines()
        .filter(line -> line.equals(command) || line.startsWith(command + " "))
        .map(line -> words(line.substring(command.length())))
        .toList();
  }

  /** The main class of every command that has one. */
  static List<String> mainClasses() {
    return text()
        .lines()
        .filter(line -> line.startsWith(CLASS_PATH_COMMAND))
        .map(line -> words(line.substring(CLASS_PATH_COMMAND.length()))[0])
        .toList();
  }

  /** The pattern of benchmark names in every JMH command. */
  static List<String> benchmarkPatterns() {
    return text()
        .lines()
        .filter(line -> line.startsWith(JMH_COMMAND))
        .map(line -> words(line.substring(JMH_COMMAND.length()))[0].replace("'", ""))
        .toList();
  }

  private static String[] words(String text) {
    return text.isBlank() ? new String[0] : SPACES.split(text.strip(), -1);
  }
}
