// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.NameSuggestion;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.policy.json.WrittenPolicy;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Reads the policy that a POLICY argument names. */
final class PolicyArgument {

  static final String DESCRIPTION =
      "JSON, a preset (http, queue, transient), a file, or - for standard input.";

  private static final List<String> PRESETS = List.of("http", "queue", "transient");

  private PolicyArgument() {}

  /** Reads the policy; throws an exception with all its errors. */
  static WrittenPolicy read(CliContext context, String given) {
    return WrittenPolicy.read(json(context, given.strip()));
  }

  private static String json(CliContext context, String text) {
    if (text.startsWith("{") || text.startsWith("[")) {
      return text;
    }
    if (PRESETS.contains(text)) {
      return "{\"preset\": \"%s\"}".formatted(text);
    }
    return switch (text) {
      case "" -> throw new UsageException("POLICY", "is missing: " + DESCRIPTION);
      case "-" -> BoundedTextReader.readStandardInput(context, PolicyJson.MAX_LENGTH);
      default -> BoundedTextReader.read(file(text), PolicyJson.MAX_LENGTH);
    };
  }

  private static Path file(String text) {
    try {
      Path file = Path.of(text);
      if (Files.exists(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      throw new UsageException(
          "POLICY", "'" + FieldError.sanitize(text) + "' is not a valid file name");
    }
    throw new UsageException(
        "POLICY",
        "file not found: '%s'%s (POLICY is %s)"
            .formatted(FieldError.sanitize(text), NameSuggestion.hint(text, PRESETS), DESCRIPTION));
  }
}
