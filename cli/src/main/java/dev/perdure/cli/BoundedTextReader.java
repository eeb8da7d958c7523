// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.NumberFormatting;
import dev.perdure.policy.FieldError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads UTF-8 text that others wrote, up to a limit: a larger one is not read to its end. */
final class BoundedTextReader {

  private static final int MAX_BYTES_PER_CHARACTER = 3;

  private BoundedTextReader() {}

  static String read(Path file, int mostCharacters) {
    String name = "'" + FieldError.sanitize(file.toString()) + "'";
    if (Files.isDirectory(file)) {
      throw new UsageException("", name + " is a directory, not a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(name, in, mostCharacters);
    } catch (NoSuchFileException e) {
      throw new UsageException("", "there is no file " + name);
    } catch (AccessDeniedException e) {
      throw new UsageException("", name + " may not be read: permission denied");
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  /** All of standard input; says so where a person would wonder why nothing happens. */
  static String readStandardInput(CliContext cliContext, int mostCharacters) {
    try {
      if (cliContext.in().available() == 0 && cliContext.inputIsTerminal().getAsBoolean()) {
        cliContext.err().println("perdure: reading standard input; Ctrl-D ends it");
        cliContext.err().flush();
      }
    } catch (IOException e) {
      throw unreadable("standard input", e);
    }
    return read("standard input", cliContext.in(), mostCharacters);
  }

  /**
   * All of the stream.
   *
   * @param name what to call it in an error
   */
  static String read(String name, InputStream in, int mostCharacters) {
    byte[] bytes;
    try {
      bytes = in.readNBytes(mostCharacters * MAX_BYTES_PER_CHARACTER + 1);
    } catch (IOException e) {
      throw unreadable(name, e);
    }
    String text = decode(name, bytes, mostCharacters);
    if (text.length() > mostCharacters) {
      throw tooLong(name, mostCharacters);
    }
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static String decode(String name, byte[] bytes, int mostCharacters) {
    if (bytes.length > mostCharacters * MAX_BYTES_PER_CHARACTER) {
      throw tooLong(name, mostCharacters);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UsageException("", name + " is not UTF-8 text");
    }
  }

  private static UsageException tooLong(String name, int mostCharacters) {
    return new UsageException(
        "",
        "%s is longer than the %s characters allowed"
            .formatted(name, NumberFormatting.count(mostCharacters)));
  }

  private static UsageException unreadable(String name, IOException e) {
    return new UsageException("", "%s cannot be read: %s".formatted(name, e.getMessage()));
  }
}
