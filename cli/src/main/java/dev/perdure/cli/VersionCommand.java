// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;

/** Prints the version. */
@Command(
    name = "version",
    description = "Show the version.",
    footer = {"", "Example:", "  perdure version --json"})
final class VersionCommand implements Callable<Integer> {

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  VersionCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    context.out().println(output.json ? CliJson.version(version(), java()) : line());
    return Perdure.EXIT_OK;
  }

  private static String line() {
    return "perdure %s (Java %s)".formatted(version(), java());
  }

  /** From the manifest of the jar; classes outside a jar have none. */
  static String version() {
    String version = Perdure.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  private static String java() {
    return Runtime.version().toString();
  }

  /** Prints the same line for {@code --version}. */
  static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {line()};
    }
  }
}
