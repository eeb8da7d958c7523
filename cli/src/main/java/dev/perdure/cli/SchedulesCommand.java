// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Says that schedules are not supported yet. */
@Command(
    name = "schedules",
    hidden = true,
    mixinStandardHelpOptions = true,
    description = "Not supported yet.")
final class SchedulesCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new UsageException("schedules", "not supported yet (see perdure --help)");
  }
}
