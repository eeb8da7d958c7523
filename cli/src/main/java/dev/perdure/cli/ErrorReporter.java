// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TerminalSafe;
import dev.perdure.client.ApiException;
import dev.perdure.client.TransportException;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.NearestName;
import dev.perdure.server.config.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells what is wrong with a call: on standard error, a problem a line or as JSON. */
final class ErrorReporter {

  private final CliContext cliContext;
  private final boolean json;

  ErrorReporter(CliContext cliContext, boolean json) {
    this.cliContext = cliContext;
    this.json = json;
  }

  int report(Exception exception) {
    if (exception instanceof OutputFailedException || exception instanceof InterruptedException) {
      // The one is said where the last of it is written, the other is somebody's wish.
      return Perdure.EXIT_USAGE;
    }
    List<FieldError> fieldErrors =
        switch (exception) {
          case TransportException trouble ->
              List.of(new FieldError("", String.valueOf(trouble.getMessage())));
          case ApiException refused -> refused.problems();
          case NotFoundException no -> List.of(new FieldError("", String.valueOf(no.getMessage())));
          case UsageException wrong -> wrong.problems();
          case InvalidPolicyException invalid -> invalid.errors();
          case InvalidConfigurationException invalid -> invalid.problems();
          case UnmatchedArgumentException unknown -> List.of(problemOf(unknown));
          case ParameterException parameter -> List.of(problemOf(parameter));
          case StoreException trouble -> List.of(problemOf(trouble));
          case IOException trouble -> List.of(problemOf(trouble));
          default -> List.of(internalError(exception));
        };
    if (json) {
      cliContext.err().println(CliJson.errors(fieldErrors));
    } else {
      fieldErrors.forEach(
          fieldError -> cliContext.err().println("perdure: " + TerminalSafe.oneLine(fieldError)));
    }
    boolean no =
        exception instanceof NotFoundException
            || (exception instanceof ApiException refused && refused.isNotFoundOrConflict());
    return no ? Perdure.EXIT_NEGATIVE : Perdure.EXIT_USAGE;
  }

  private static FieldError internalError(Exception exception) {
    return new FieldError("", "this is a fault of perdure, please report it: " + exception);
  }

  private static FieldError problemOf(StoreException exception) {
    return switch (exception.kind()) {
      case UNAVAILABLE ->
          new FieldError("", "the database cannot be reached or is too busy: try again in a while");
      case UNKNOWN ->
          new FieldError(
              "",
              "the database's answer was lost: it may have been done, so look before repeating");
      case REFUSED -> internalError(exception);
    };
  }

  /** A folder for files of a while that cannot be made, as a rule. */
  private static FieldError problemOf(IOException exception) {
    String why = exception instanceof NoSuchFileException ? "there is no such folder: " : "";
    return new FieldError(
        "",
        "a file or folder cannot be used: %s%s (java -Djava.io.tmpdir=… names another for what is"
                .formatted(why, exception.getMessage())
            + " kept for a while)");
  }

  private static FieldError problemOf(UnmatchedArgumentException exception) {
    String word = exception.getUnmatched().getFirst();
    CommandLine command = exception.getCommandLine();
    boolean option = word.startsWith("-");
    boolean group = !command.getSubcommands().isEmpty();
    Collection<String> known =
        option ? command.getCommandSpec().optionsMap().keySet() : command.getSubcommands().keySet();
    String what = option ? "unknown option" : group ? "unknown command" : "one argument too many:";
    String name = option ? word.split("=", 2)[0] : word;
    return new FieldError(
        "",
        "%s '%s'%s (see %s --help)"
            .formatted(
                what,
                FieldError.sanitize(name),
                NearestName.hint(name, known),
                command.getCommandSpec().qualifiedName()));
  }

  private static FieldError problemOf(ParameterException exception) {
    String message = String.valueOf(exception.getMessage());
    String start = message.substring(0, 1).toLowerCase(Locale.ROOT);
    return new FieldError(
        "",
        "%s (see %s --help)"
            .formatted(
                start + message.substring(1),
                exception.getCommandLine().getCommandSpec().qualifiedName()));
  }
}
