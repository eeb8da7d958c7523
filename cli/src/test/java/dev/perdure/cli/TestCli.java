// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs commands in a controlled environment, with pipes unless a terminal is set. */
final class TestCli {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final Map<String, String> environment = new HashMap<>();
  private byte[] stdin = {};
  private OptionalInt terminal = OptionalInt.empty();
  private boolean keyboard;

  /** Exit code and output of a command. */
  record CliResult(int code, String out, String err) {

    List<String> lines() {
      return out.lines().toList();
    }

    List<JsonNode> json() {
      return out.lines().map(JsonMapper.shared()::readTree).toList();
    }

    JsonNode errors() {
      return JsonMapper.shared().readTree(err).get("errors");
    }
  }

  TestCli environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  TestCli stdin(String text) {
    return stdin(text.getBytes(StandardCharsets.UTF_8));
  }

  TestCli stdin(byte[] bytes) {
    stdin = bytes;
    return this;
  }

  TestCli terminal(int columns) {
    terminal = OptionalInt.of(columns);
    return this;
  }

  /** Standard input is a terminal. */
  TestCli keyboard() {
    keyboard = true;
    return this;
  }

  CliResult run(String... args) {
    return runInto(new ByteArrayOutputStream(), args);
  }

  /** Runs a command that prints to this stream. */
  CliResult runInto(OutputStream out, String... args) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CliContext context =
        new CliContext(
            new ByteArrayInputStream(stdin),
            CliContext.stream(new FailFastOutputStream(out)),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            environment,
            () -> terminal,
            () -> keyboard,
            NOW);
    int code = Perdure.run(context, args);
    return new CliResult(
        code,
        out instanceof ByteArrayOutputStream bytes ? bytes.toString(StandardCharsets.UTF_8) : "",
        err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command in the default environment. */
  static CliResult perdure(String... args) {
    return new TestCli().run(args);
  }
}
