// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TerminalSanitizer;
import dev.perdure.policy.json.DecisionVectors;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks a file of expected decisions. */
final class VectorsFile {

  private static final int MAX_CHARACTERS = 16 * 1024 * 1024;

  private VectorsFile() {}

  static int check(CliContext context, String file, boolean json) {
    DecisionVectors.Result result = DecisionVectors.check(read(file));
    if (json) {
      context.out().println(CliJson.vectors(result));
    } else {
      result
          .differences()
          .forEach(difference -> context.out().println(TerminalSanitizer.oneLine(difference)));
      context.out().printf("%d passed, %d failed%n", result.passed(), result.differences().size());
    }
    // A file without any decision proves nothing.
    boolean right = result.differences().isEmpty() && result.passed() > 0;
    return right ? Perdure.EXIT_OK : Perdure.EXIT_NEGATIVE;
  }

  private static JsonNode read(String file) {
    try {
      return JsonMapper.shared().readTree(BoundedTextReader.read(Path.of(file), MAX_CHARACTERS));
    } catch (JacksonException e) {
      throw new UsageException("--vectors", "the file is not JSON: " + e.getOriginalMessage());
    } catch (InvalidPathException e) {
      throw new UsageException("--vectors", String.valueOf(e.getMessage()));
    }
  }
}
