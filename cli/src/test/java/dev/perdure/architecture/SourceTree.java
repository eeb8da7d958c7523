// SPDX-License-Identifier: Apache-2.0
package dev.perdure.architecture;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of this repository, read as text. */
final class SourceTree {

  private static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");

  private SourceTree() {}

  static String read(String file) {
    return read(ROOT.resolve(file));
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The folders of all modules, as the root pom lists them. Those inside another module contain no
   * code of ours: they only resolve a class path for its tests.
   */
  static Set<String> modules() {
    return MODULE
        .matcher(read("pom.xml"))
        .results()
        .map(match -> match.group(1))
        .filter(module -> !module.contains("/"))
        .collect(toCollection(TreeSet::new));
  }

  /** The Java files of the main code of every module. */
  static List<Path> mainSources() {
    return modules().stream().flatMap(module -> files(module, "src/main/java")).toList();
  }

  /** The Java files of every module, tests included. */
  static List<Path> sources() {
    return modules().stream().flatMap(module -> files(module, "src")).toList();
  }

  private static Stream<Path> files(String module, String subfolder) {
    Path folder = ROOT.resolve(module).resolve(subfolder);
    if (!Files.isDirectory(folder)) {
      return Stream.of(); // The dashboard has no Java, and other modules have only tests.
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
