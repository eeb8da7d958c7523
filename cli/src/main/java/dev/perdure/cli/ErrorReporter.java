// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TerminalSanitizer;
import dev.perdure.client.ApiException;
import dev.perdure.client.TransportException;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.NameSuggestion;
import dev.perdure.server.config.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints errors on standard error, one per line or as JSON, and chooses the exit code. */
final class ErrorReporter {

  private final CliContext context;
  private final boolean json;

  ErrorReporter(CliContext context, boolean json) {
    this.context = context;
    this.json = json;
  }

  /**
   * Reports an exception.
   *
   * @param keyGiven whether the command line contains an API key
   */
  int report(Exception exception, boolean keyGiven) {
    if (exception instanceof OutputFailedException || exception instanceof InterruptedException) {
      // Perdure.run reports failed output, and the user asked for the interruption.
      return Perdure.EXIT_USAGE;
    }
    List<FieldError> errors =
        switch (exception) {
          case TransportException e -> List.of(error(e));
          case ApiException e -> errors(e, keyGiven);
          case NotFoundException e -> List.of(new FieldError("", String.valueOf(e.getMessage())));
          case UsageException e -> e.problems();
          case InvalidPolicyException e -> e.errors();
          case InvalidConfigurationException e -> e.problems();
          case UnmatchedArgumentException e -> List.of(error(e));
          case ParameterException e -> List.of(error(e));
          case StoreException e -> List.of(error(e));
          case IOException e -> List.of(error(e));
          default -> List.of(internalError(exception));
        };
    if (json) {
      context.err().println(CliJson.errors(errors));
    } else {
      errors.forEach(
          error -> context.err().println("perdure: " + TerminalSanitizer.oneLine(error)));
    }
    boolean negative =
        exception instanceof NotFoundException
            || (exception instanceof ApiException e && (e.isNotFound() || e.isConflict()));
    return negative ? Perdure.EXIT_NEGATIVE : Perdure.EXIT_USAGE;
  }

  /** The errors that the server reports, at least one. */
  static List<FieldError> errors(ApiException exception) {
    return exception.errors().isEmpty()
        ? List.of(new FieldError("", exception.detail()))
        : exception.errors();
  }

  private List<FieldError> errors(ApiException exception, boolean keyGiven) {
    if (!exception.isUnauthorized()) {
      return errors(exception);
    }
    boolean sent = keyGiven || !context.environment().getOrDefault("PERDURE_KEY", "").isEmpty();
    String hint = sent ? "the key comes from --key or" : "set it with --key or";
    return List.of(new FieldError("", "%s (%s PERDURE_KEY)".formatted(exception.detail(), hint)));
  }

  private FieldError error(TransportException exception) {
    String hint =
        switch (exception.reason()) {
          case UNKNOWN_HOST -> "; choose another server with --url or PERDURE_URL";
          case NOT_CONNECTED ->
              "; start a server with '%s serve', or choose another with --url or PERDURE_URL"
                  .formatted(context.commandPrefix());
          case TIMEOUT, CONNECTION_LOST, INTERRUPTED, UNEXPECTED_RESPONSE, RESULT_UNAVAILABLE -> "";
        };
    return new FieldError("", exception.getMessage() + hint);
  }

  private static FieldError internalError(Exception exception) {
    return new FieldError("", "this is a bug in perdure, please report it: " + exception);
  }

  private static FieldError error(StoreException exception) {
    return switch (exception.kind()) {
      case UNAVAILABLE ->
          new FieldError("", "the database is unreachable or too busy: try again later");
      case UNKNOWN ->
          new FieldError(
              "",
              "the database's answer was lost: the command may have taken effect, so check before"
                  + " you repeat it");
      case REFUSED -> internalError(exception);
    };
  }

  /** Usually a temporary directory that cannot be created. */
  private static FieldError error(IOException exception) {
    String why = exception instanceof NoSuchFileException ? "no such directory: " : "";
    return new FieldError(
        "",
        "cannot use a temporary file or directory: %s%s (choose another with java"
                .formatted(why, exception.getMessage())
            + " -Djava.io.tmpdir=…)");
  }

  private static FieldError error(UnmatchedArgumentException exception) {
    String word = exception.getUnmatched().getFirst();
    CommandLine command = exception.getCommandLine();
    boolean option = word.startsWith("-");
    boolean group = !command.getSubcommands().isEmpty();
    Collection<String> known =
        option ? command.getCommandSpec().optionsMap().keySet() : command.getSubcommands().keySet();
    String what = option ? "unknown option" : group ? "unknown command" : "unexpected argument";
    String name = option ? word.split("=", 2)[0] : word;
    return new FieldError(
        "",
        "%s '%s'%s (see %s --help)"
            .formatted(
                what,
                FieldError.sanitize(name),
                NameSuggestion.hint(name, known),
                command.getCommandSpec().qualifiedName()));
  }

  private static FieldError error(ParameterException exception) {
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
