// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.engine.store.StoreException;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.server.cli.client.NoAnswerException;
import dev.perdure.server.cli.client.RefusedException;
import dev.perdure.server.cli.text.Foreign;
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
final class Complaints {

  private final Shell shell;
  private final boolean json;

  Complaints(Shell shell, boolean json) {
    this.shell = shell;
    this.json = json;
  }

  int about(Exception exception) {
    if (exception instanceof OutputLostException || exception instanceof InterruptedException) {
      // The one is said where the last of it is written, the other is somebody's wish.
      return Perdure.WRONG_USE;
    }
    List<Problem> problems =
        switch (exception) {
          case NoAnswerException trouble ->
              List.of(new Problem("", String.valueOf(trouble.getMessage())));
          case RefusedException refused -> refused.problems();
          case AnswerIsNoException no -> List.of(new Problem("", String.valueOf(no.getMessage())));
          case WrongUseException wrong -> wrong.problems();
          case InvalidPolicyException invalid -> invalid.problems();
          case InvalidConfigurationException invalid -> invalid.problems();
          case UnmatchedArgumentException unknown -> List.of(problemOf(unknown));
          case ParameterException parameter -> List.of(problemOf(parameter));
          case StoreException trouble -> List.of(problemOf(trouble));
          case IOException trouble -> List.of(problemOf(trouble));
          default -> List.of(fault(exception));
        };
    if (json) {
      shell.err().println(Json.errors(problems));
    } else {
      problems.forEach(problem -> shell.err().println("perdure: " + Foreign.line(problem)));
    }
    boolean no =
        exception instanceof AnswerIsNoException
            || (exception instanceof RefusedException refused && refused.isNo());
    return no ? Perdure.NO : Perdure.WRONG_USE;
  }

  private static Problem fault(Exception exception) {
    return new Problem("", "this is a fault of perdure, please report it: " + exception);
  }

  private static Problem problemOf(StoreException exception) {
    return switch (exception.sort()) {
      case UNAVAILABLE ->
          new Problem("", "the database cannot be reached or is too busy: try again in a while");
      case UNKNOWN ->
          new Problem(
              "",
              "the database's answer was lost: it may have been done, so look before repeating");
      case REFUSED -> fault(exception);
    };
  }

  /** A folder for files of a while that cannot be made, as a rule. */
  private static Problem problemOf(IOException exception) {
    String why = exception instanceof NoSuchFileException ? "there is no such folder: " : "";
    return new Problem(
        "",
        "a file or folder cannot be used: %s%s (java -Djava.io.tmpdir=… names another for what is"
                .formatted(why, exception.getMessage())
            + " kept for a while)");
  }

  private static Problem problemOf(UnmatchedArgumentException exception) {
    String word = exception.getUnmatched().getFirst();
    CommandLine command = exception.getCommandLine();
    boolean option = word.startsWith("-");
    boolean group = !command.getSubcommands().isEmpty();
    Collection<String> known =
        option ? command.getCommandSpec().optionsMap().keySet() : command.getSubcommands().keySet();
    String what = option ? "unknown option" : group ? "unknown command" : "one argument too many:";
    String name = option ? word.split("=", 2)[0] : word;
    return new Problem(
        "",
        "%s '%s'%s (see %s --help)"
            .formatted(
                what,
                Problem.quotable(name),
                NearestName.hint(name, known),
                command.getCommandSpec().qualifiedName()));
  }

  private static Problem problemOf(ParameterException exception) {
    String message = String.valueOf(exception.getMessage());
    String start = message.substring(0, 1).toLowerCase(Locale.ROOT);
    return new Problem(
        "",
        "%s (see %s --help)"
            .formatted(
                start + message.substring(1),
                exception.getCommandLine().getCommandSpec().qualifiedName()));
  }
}
