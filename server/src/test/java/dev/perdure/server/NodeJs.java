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

/** The machine's own Node.js, for callers and workers in another language. */
public final class NodeJs {

  private NodeJs() {}

  /** Runs a script; fails, or says loudly that the test does not run, where there is no Node. */
  public static Process run(Path script, String... args) throws IOException {
    boolean there =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "node")));
    if (!there) {
      String lack =
          "NO NODE: work in another language is NOT TESTED here. Install Node.js 20 or newer";
      if ("required".equals(System.getenv("PERDURE_NODE"))) {
        throw new AssertionError(lack);
      }
      System.err.println("\n*** " + lack + " ***\n");
      Assumptions.abort(lack);
    }
    List<String> command = new ArrayList<>(List.of("node", script.toString()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
