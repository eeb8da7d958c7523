// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;

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

  private Perdure() {}

  public static void main(String[] args) {
    System.exit(run(Shell.ofThisProcess(), args));
  }

  /** Runs one command and gives its exit code; never throws. */
  public static int run(Shell shell, String... args) {
    CommandLine commands = commandLine(shell, List.of(args).contains("--json"));
    int code = args.length == 0 ? usage(commands) : commands.execute(args);
    shell.out().flush();
    shell.err().flush();
    return code;
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
        .addSubcommand(new DemoCommand(shell))
        .addSubcommand(new VersionCommand(shell))
        .addSubcommand(new HelpCommand())
        .setUsageHelpWidth(shell.width())
        .setExpandAtFiles(false)
        .setOut(writer(shell.out()))
        .setErr(writer(shell.err()))
        .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
        .setParameterExceptionHandler((problem, args) -> complaints.about(problem))
        .setExecutionExceptionHandler((problem, command, parsed) -> complaints.about(problem));
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
