// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/** The command line. Exit codes: 0 done, 1 the answer is no, 2 wrong use. */
@Command(
    name = "perdure",
    description = "Makes failed work happen again, correctly.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    footer = {
      "",
      "Begin with:",
      "  perdure demo",
      "  perdure explain http",
      "",
      "Exit codes: 0 done, 1 the answer is no, 2 wrong use."
    })
public final class Perdure {

  /** Done. */
  public static final int DONE = 0;

  /** Done, and the answer is no. */
  public static final int NO = 1;

  /** Not done: the call itself was wrong. */
  public static final int WRONG_USE = 2;

  /** Where an example calls it. */
  private static final Pattern EXAMPLE = Pattern.compile("(?<=^  |[|(] ?)perdure(?= )");

  private Perdure() {}

  public static void main(String[] args) {
    System.exit(run(Shell.ofThisProcess(), args));
  }

  /** Runs one command and gives its exit code. */
  public static int run(Shell shell, String... args) {
    CommandLine commands = commandLine(shell, List.of(args).contains("--json"));
    try {
      int code = args.length == 0 ? usage(commands) : commands.execute(args);
      shell.out().flush();
      return code;
    } catch (OutputLostException e) {
      // An answer that was lost on a full disk must not look like one that was given.
      if (!e.isReaderGone()) {
        shell.err().println("perdure: could not write the whole answer to standard output");
      }
      return WRONG_USE;
    } finally {
      shell.err().flush();
    }
  }

  private static int usage(CommandLine commands) {
    commands.usage(commands.getErr());
    return WRONG_USE;
  }

  private static CommandLine commandLine(Shell shell, boolean json) {
    Complaints complaints = new Complaints(shell, json);
    return new CommandLine(new Perdure())
        .addSubcommand(new ExplainCommand(shell))
        .addSubcommand(new SimulateCommand(shell))
        .addSubcommand(new LintCommand(shell))
        .addSubcommand(ServeCommand.create(shell))
        .addSubcommand(new SubmitCommand(shell))
        .addSubcommand(new TasksCommand(shell))
        .addSubcommand(new ShowCommand(shell))
        .addSubcommand(new WatchCommand(shell))
        .addSubcommand(ActCommand.create(shell, ActCommand.Act.CANCEL))
        .addSubcommand(ActCommand.create(shell, ActCommand.Act.PAUSE))
        .addSubcommand(ActCommand.create(shell, ActCommand.Act.RESUME))
        .addSubcommand(new RetryCommand(shell))
        .addSubcommand(KeyCommand.create(shell))
        .addSubcommand(MigrateCommand.create(shell))
        .addSubcommand(ConfigCommand.create(shell))
        .addSubcommand(new DemoCommand(shell))
        .addSubcommand(new TourCommand(shell))
        .addSubcommand(BenchCommand.create(shell))
        .addSubcommand(new SchedulesCommand())
        .addSubcommand(new VersionCommand(shell))
        .addSubcommand(new WarmUpCommand(shell))
        .addSubcommand(new CompletionCommand(shell))
        .addSubcommand(new HelpCommand())
        .setHelpFactory((spec, scheme) -> new Help(fitted(spec, shell), scheme))
        .setExpandAtFiles(false)
        .setOut(writer(shell.out()))
        .setErr(writer(shell.err()))
        .setColorScheme(Help.defaultColorScheme(Ansi.OFF))
        .setParameterExceptionHandler((problem, args) -> complaints.about(problem))
        .setExecutionExceptionHandler((problem, command, parsed) -> complaints.about(problem));
  }

  /** Asks for the width only when help is wanted: it may cost a process. */
  private static CommandSpec fitted(CommandSpec spec, Shell shell) {
    String call = Matcher.quoteReplacement(shell.call().replace("%", "%%"));
    String[] footer =
        Stream.of(spec.usageMessage().footer())
            .map(line -> EXAMPLE.matcher(line).replaceAll(call))
            .toArray(String[]::new);
    spec.usageMessage().width(shell.width()).footer(footer);
    return spec;
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
