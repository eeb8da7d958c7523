// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

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
  public static final int EXIT_OK = 0;

  /** Done, and the answer is no. */
  public static final int EXIT_NEGATIVE = 1;

  /** Not done: the call itself was wrong. */
  public static final int EXIT_USAGE = 2;

  /** Where an example calls it. */
  private static final Pattern EXAMPLE = Pattern.compile("(?<=^  |[|(] ?)perdure(?= )");

  private Perdure() {}

  public static void main(String[] args) {
    System.exit(run(CliContext.ofProcess(), args));
  }

  /** Runs one command and gives its exit code. */
  public static int run(CliContext cliContext, String... args) {
    CommandLine commands = commandLine(cliContext, List.of(args).contains("--json"));
    try {
      int code = args.length == 0 ? usage(commands) : commands.execute(args);
      cliContext.out().flush();
      return code;
    } catch (OutputFailedException e) {
      // An answer that was lost on a full disk must not look like one that was given.
      if (!e.isBrokenPipe()) {
        cliContext.err().println("perdure: could not write the whole answer to standard output");
      }
      return EXIT_USAGE;
    } finally {
      cliContext.err().flush();
    }
  }

  private static int usage(CommandLine commands) {
    commands.usage(commands.getErr());
    return EXIT_USAGE;
  }

  private static CommandLine commandLine(CliContext cliContext, boolean json) {
    ErrorReporter errorReporter = new ErrorReporter(cliContext, json);
    return new CommandLine(new Perdure())
        .addSubcommand(new ExplainCommand(cliContext))
        .addSubcommand(new SimulateCommand(cliContext))
        .addSubcommand(new LintCommand(cliContext))
        .addSubcommand(ServeCommand.create(cliContext))
        .addSubcommand(new SubmitCommand(cliContext))
        .addSubcommand(new TasksCommand(cliContext))
        .addSubcommand(new ShowCommand(cliContext))
        .addSubcommand(new WatchCommand(cliContext))
        .addSubcommand(TaskActionCommand.create(cliContext, TaskActionCommand.TaskAction.CANCEL))
        .addSubcommand(TaskActionCommand.create(cliContext, TaskActionCommand.TaskAction.PAUSE))
        .addSubcommand(TaskActionCommand.create(cliContext, TaskActionCommand.TaskAction.RESUME))
        .addSubcommand(new RetryCommand(cliContext))
        .addSubcommand(KeyCommand.create(cliContext))
        .addSubcommand(MigrateCommand.create(cliContext))
        .addSubcommand(ConfigCommand.create(cliContext))
        .addSubcommand(new DemoCommand(cliContext))
        .addSubcommand(new TourCommand(cliContext))
        .addSubcommand(BenchCommand.create(cliContext))
        .addSubcommand(new SchedulesCommand())
        .addSubcommand(new VersionCommand(cliContext))
        .addSubcommand(new WarmUpCommand(cliContext))
        .addSubcommand(new CompletionCommand(cliContext))
        .addSubcommand(new HelpCommand())
        .setHelpFactory((spec, scheme) -> new Help(fitted(spec, cliContext), scheme))
        .setExpandAtFiles(false)
        .setOut(writer(cliContext.out()))
        .setErr(writer(cliContext.err()))
        .setColorScheme(Help.defaultColorScheme(Ansi.OFF))
        .setParameterExceptionHandler((problem, args) -> errorReporter.report(problem))
        .setExecutionExceptionHandler((problem, command, parsed) -> errorReporter.report(problem));
  }

  /** Asks for the width only when help is wanted: it may cost a process. */
  private static CommandSpec fitted(CommandSpec spec, CliContext cliContext) {
    String call = Matcher.quoteReplacement(cliContext.commandPrefix().replace("%", "%%"));
    String[] footer =
        Stream.of(spec.usageMessage().footer())
            .map(line -> EXAMPLE.matcher(line).replaceAll(call))
            .toArray(String[]::new);
    spec.usageMessage().width(cliContext.width()).footer(footer);
    return spec;
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
