// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Runs the installed Node.js, for callees and workers in another language. */
public final class NodeJs {

  private static final String FAST_TIMERS =
      "data:text/javascript,const real = setTimeout;"
          + "globalThis.setTimeout = (task, ms, ...args) => real(task, ms / 100, ...args);";

  private NodeJs() {}

  /** Runs a script whose timers run a hundred times as fast; intervals keep their length. */
  public static Process runFast(Path script, String... args) throws IOException {
    return run(List.of("--import", FAST_TIMERS), script, args);
  }

  public static Process run(Path script, String... args) throws IOException {
    return run(List.of(), script, args);
  }

  /**
   * Runs a script. Without Node.js it fails if Node.js is required, else skips the test with a
   * warning.
   */
  private static Process run(List<String> options, Path script, String... args) throws IOException {
    boolean installed =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "node")));
    if (!installed) {
      String warning =
          "NO NODE: work in another language is NOT TESTED here. Install Node.js 20 or newer";
      if ("required".equals(System.getenv("PERDURE_NODE"))) {
        throw new AssertionError(warning);
      }
      System.err.println("\n*** " + warning + " ***\n");
      Assumptions.abort(warning);
    }
    List<String> command = new ArrayList<>(List.of("node"));
    command.addAll(options);
    command.add(script.toString());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
