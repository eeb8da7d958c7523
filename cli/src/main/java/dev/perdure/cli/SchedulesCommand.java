// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Says that schedules are not there yet, to whoever looks for them. */
@Command(
    name = "schedules",
    hidden = true,
    mixinStandardHelpOptions = true,
    description = "Comes with schedules.")
final class SchedulesCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new UsageException(
        "schedules", "comes with schedules, which are not supported yet (see perdure --help)");
  }
}
