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
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads UTF-8 text up to a limit; it stops reading when the limit is exceeded. */
final class BoundedTextReader {

  private static final int MAX_BYTES_PER_CHARACTER = 3;

  private BoundedTextReader() {}

  /** Reads the file of a FILE argument; {@code -} is standard input. */
  static String readArgument(CliContext context, String file, int maxCharacters) {
    try {
      return file.equals("-")
          ? readStandardInput(context, maxCharacters)
          : read(Path.of(file), maxCharacters);
    } catch (InvalidPathException e) {
      throw new UsageException("FILE", "is not a valid file name: " + e.getReason());
    }
  }

  static String read(Path file, int maxCharacters) {
    String name = "'" + FieldError.sanitize(file.toString()) + "'";
    if (Files.isDirectory(file)) {
      throw new UsageException("", name + " is a directory, not a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(name, in, maxCharacters);
    } catch (NoSuchFileException e) {
      throw new UsageException("", "file not found: " + name);
    } catch (AccessDeniedException e) {
      throw new UsageException("", "cannot read " + name + ": permission denied");
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  /** Reads all of standard input; on a terminal it says so, or it would look as if it hung. */
  static String readStandardInput(CliContext context, int maxCharacters) {
    try {
      if (context.in().available() == 0 && context.inputIsTerminal().getAsBoolean()) {
        context.err().println("perdure: reading standard input; press Ctrl-D to end it");
        context.err().flush();
      }
    } catch (IOException e) {
      throw unreadable("standard input", e);
    }
    return read("standard input", context.in(), maxCharacters);
  }

  /**
   * Reads all of the stream.
   *
   * @param name the name to use in errors
   */
  static String read(String name, InputStream in, int maxCharacters) {
    byte[] bytes;
    try {
      bytes = in.readNBytes(maxCharacters * MAX_BYTES_PER_CHARACTER + 1);
    } catch (IOException e) {
      throw unreadable(name, e);
    }
    String text = decode(name, bytes, maxCharacters);
    if (text.length() > maxCharacters) {
      throw tooLong(name, maxCharacters);
    }
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static String decode(String name, byte[] bytes, int maxCharacters) {
    if (bytes.length > maxCharacters * MAX_BYTES_PER_CHARACTER) {
      throw tooLong(name, maxCharacters);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UsageException("", name + " is not UTF-8 text");
    }
  }

  private static UsageException tooLong(String name, int maxCharacters) {
    return new UsageException(
        "",
        "%s is longer than %s characters".formatted(name, NumberFormatting.count(maxCharacters)));
  }

  private static UsageException unreadable(String name, IOException e) {
    return new UsageException("", "cannot read %s: %s".formatted(name, e.getMessage()));
  }
}
