// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TerminalWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/** The command line. */
@Command(
    name = "perdure",
    description = "Retries failed work: in memory, in a database, or as a service.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    footer = {
      "",
      "Start with:",
      "  perdure demo",
      "  perdure explain http",
      "",
      "Exit codes: 0 done, 1 negative result (not found, conflict, check failed), 2 wrong use or"
          + " another error."
    })
public final class Perdure {

  /** Done. */
  public static final int EXIT_OK = 0;

  /** Done, but the result is negative: a warning, a failed task, a task that does not exist. */
  public static final int EXIT_NEGATIVE = 1;

  /** Wrong use, or an error such as a server that does not respond. */
  public static final int EXIT_USAGE = 2;

  /** The command name in the examples of help texts. */
  private static final Pattern EXAMPLE = Pattern.compile("(?<=^  |[|(] ?)perdure(?= )");

  private Perdure() {}

  public static void main(String[] args) {
    System.exit(run(CliContext.ofProcess(), args));
  }

  /** Runs one command and returns its exit code. */
  public static int run(CliContext context, String... args) {
    CommandLine commands = commandLine(context, List.of(args).contains("--json"));
    try {
      int code = args.length == 0 ? usage(commands) : commands.execute(args);
      context.out().flush();
      return code;
    } catch (OutputFailedException e) {
      // Output that was lost on a full disk must not look like success.
      if (!e.isBrokenPipe()) {
        context.err().println("perdure: could not write all output to standard output");
      }
      return EXIT_USAGE;
    } finally {
      context.err().flush();
    }
  }

  private static int usage(CommandLine commands) {
    commands.usage(commands.getErr());
    return EXIT_USAGE;
  }

  private static CommandLine commandLine(CliContext context, boolean json) {
    ErrorReporter reporter = new ErrorReporter(context, json);
    return new CommandLine(new Perdure())
        .addSubcommand(new ExplainCommand(context))
        .addSubcommand(new SimulateCommand(context))
        .addSubcommand(new LintCommand(context))
        .addSubcommand(ServeCommand.create(context))
        .addSubcommand(new SubmitCommand(context))
        .addSubcommand(new TasksCommand(context))
        .addSubcommand(new ShowCommand(context))
        .addSubcommand(new WatchCommand(context))
        .addSubcommand(TaskActionCommand.create(context, TaskActionCommand.TaskAction.CANCEL))
        .addSubcommand(TaskActionCommand.create(context, TaskActionCommand.TaskAction.PAUSE))
        .addSubcommand(TaskActionCommand.create(context, TaskActionCommand.TaskAction.RESUME))
        .addSubcommand(new RetryCommand(context))
        .addSubcommand(new ResolveCommand(context))
        .addSubcommand(new BatchesCommand(context))
        .addSubcommand(BatchCommand.create(context))
        .addSubcommand(new BulkCommand(context))
        .addSubcommand(new SchedulesCommand(context))
        .addSubcommand(ScheduleCommand.create(context))
        .addSubcommand(new StatusCommand(context))
        .addSubcommand(new StatsCommand(context))
        .addSubcommand(new LimitsCommand(context))
        .addSubcommand(LimitCommand.create(context))
        .addSubcommand(ChannelCommand.create(context))
        .addSubcommand(new DeliveriesCommand(context))
        .addSubcommand(new RedeliverCommand(context))
        .addSubcommand(new NodesCommand(context))
        .addSubcommand(new AuditCommand(context))
        .addSubcommand(KeyCommand.create(context))
        .addSubcommand(MigrateCommand.create(context))
        .addSubcommand(ConfigCommand.create(context))
        .addSubcommand(new DemoCommand(context))
        .addSubcommand(new TourCommand(context))
        .addSubcommand(BenchCommand.create(context))
        .addSubcommand(new VersionCommand(context))
        .addSubcommand(new WarmUpCommand(context))
        .addSubcommand(new CompletionCommand(context))
        .addSubcommand(new HelpCommand())
        .setHelpFactory((spec, scheme) -> new CliHelp(fitted(spec, context), scheme))
        .setExpandAtFiles(false)
        .setOut(writer(context.out()))
        .setErr(writer(context.err()))
        .setColorScheme(Help.defaultColorScheme(Ansi.OFF))
        .setParameterExceptionHandler((problem, args) -> reporter.report(problem, false))
        .setExecutionExceptionHandler(
            (problem, command, parsed) ->
                reporter.report(problem, command.getParseResult().hasMatchedOption("--key")));
  }

  /** Runs only when help is printed, because asking for the width may cost a process. */
  private static CommandSpec fitted(CommandSpec spec, CliContext context) {
    String call = Matcher.quoteReplacement(context.commandPrefix().replace("%", "%%"));
    String[] footer =
        Stream.of(spec.usageMessage().footer())
            .map(line -> EXAMPLE.matcher(line).replaceAll(call))
            .toArray(String[]::new);
    spec.usageMessage()
        .width(context.width())
        .abbreviateSynopsis(true)
        .sortOptions(false)
        .descriptionHeading("%n")
        .parameterListHeading("%n")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("%nCommands:%n")
        .footer(footer);
    return spec;
  }

  /** Help whose examples, which people copy, are never wrapped. */
  private static final class CliHelp extends Help {

    CliHelp(CommandSpec spec, ColorScheme scheme) {
      super(spec, scheme);
    }

    @Override
    public String footer(Object... parameters) {
      int width = commandSpec().usageMessage().width();
      return Stream.of(commandSpec().usageMessage().footer())
          .flatMap(
              line ->
                  line.startsWith("  ")
                      ? Stream.of(line)
                      : TerminalWriter.wrap(line, width).stream())
          .map(line -> line.replace("%%", "%") + System.lineSeparator())
          .collect(Collectors.joining());
    }
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
