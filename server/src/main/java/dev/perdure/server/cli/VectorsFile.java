// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.json.Vectors;
import dev.perdure.server.cli.text.Foreign;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs a file of expected decisions. */
final class VectorsFile {

  private static final int MOST_CHARACTERS = 16 * 1024 * 1024;

  private VectorsFile() {}

  static int check(Shell shell, String file, boolean json) {
    Vectors.Result result = Vectors.check(read(file));
    if (json) {
      shell.out().println(Json.vectors(result));
    } else {
      result.differences().forEach(difference -> shell.out().println(Foreign.line(difference)));
      shell.out().printf("%d passed, %d failed%n", result.passed(), result.differences().size());
    }
    // A file without a single decision proves nothing.
    boolean right = result.differences().isEmpty() && result.passed() > 0;
    return right ? Perdure.DONE : Perdure.NO;
  }

  private static JsonNode read(String file) {
    try {
      return JsonMapper.shared().readTree(BoundedText.read(Path.of(file), MOST_CHARACTERS));
    } catch (JacksonException e) {
      throw new WrongUseException("--vectors", "the file is not JSON: " + e.getOriginalMessage());
    } catch (InvalidPathException e) {
      throw new WrongUseException("--vectors", String.valueOf(e.getMessage()));
    }
  }
}
