// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ScheduleText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.ScheduleInfo;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The group of commands that show and change schedules. */
@Command(
    name = "schedule",
    description = "Submit tasks again and again: create, show and change schedules.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    footer = {
      "",
      "All schedules: perdure schedules",
      "",
      "Examples:",
      "  perdure schedule preview --cron '0 8 * * 1-5' --zone Europe/Paris",
      "  perdure schedule add nightly --at 02:00 --zone Europe/Paris task.json",
      "  perdure schedule show nightly",
      "  perdure schedule pause nightly"
    })
final class ScheduleCommand {

  static final String NAME_DESCRIPTION = "The name or the id of the schedule.";

  static final String FILE_DESCRIPTION =
      "JSON: a task, a batch or a whole schedule; - for standard input.";

  private ScheduleCommand() {}

  static CommandLine create(CliContext context) {
    return new CommandLine(new ScheduleCommand())
        .addSubcommand(new ScheduleShowCommand(context))
        .addSubcommand(new ScheduleAddCommand(context))
        .addSubcommand(new ScheduleEditCommand(context))
        .addSubcommand(ScheduleSwitchCommand.create(context, false))
        .addSubcommand(ScheduleSwitchCommand.create(context, true))
        .addSubcommand(new ScheduleTriggerCommand(context))
        .addSubcommand(new ScheduleRemoveCommand(context))
        .addSubcommand(new ScheduleCancelRetryCommand(context))
        .addSubcommand(new SchedulePreviewCommand(context));
  }

  /** The path of this schedule. */
  static String path(String name) {
    return PathArgument.append("/schedule/", "NAME", name);
  }

  /** Prints a schedule after a change. */
  static void printChanged(CliContext context, OutputOptions output, ApiResponse response) {
    if (output.json) {
      context.out().println(response.json());
    } else {
      ScheduleText.line(
          output.writer(context),
          response.read(ScheduleInfo::of),
          response.serverTime().orElse(context.now()));
    }
  }
}
