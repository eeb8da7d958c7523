// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of this repository. */
final class Repository {

  private static final Path ROOT = Path.of("..");
  private static final String JAVA = ".java";

  private Repository() {}

  /** Reads a file by its path from the root of the repository. */
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

  /** All Markdown pages in the root folder and in docs. */
  static List<Path> pages() {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(root, docs).filter(path -> path.toString().endsWith(".md")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of all Java files of all modules, without the extension. */
  static Set<String> javaFiles() {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src"))
          .filter(Files::isDirectory)
          .flatMap(Repository::javaFiles)
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> javaFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(JAVA))
          .map(name -> name.substring(0, name.length() - JAVA.length()))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
