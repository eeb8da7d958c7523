// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The command-line options of {@link ServerLoad}. */
final class LoadOptions {

  static final String SUBMIT = "submit";
  static final String CALLBACK = "callback";
  static final String HANGING = "hanging";
  static final String MEMORY = "memory";

  static final String HELP =
      """
      Starts the server as a separate process and sends requests over the loopback interface.
      Measures throughput, latency and memory, and the effect of callees that hang on the API.

        --scenarios S             comma-separated: submit, callback, hanging, memory
                                  (submit,callback,hanging)
        --stores S                comma-separated: sqlite, postgres (sqlite,postgres)
        --server PATH             jar of the server (cli/target/perdure.jar)
        --heap SIZE               maximum heap of the server (256m)
        --java-option OPTION      extra JVM option of the server, such as
                                  -XX:StartFlightRecording=...
        --rounds N                rounds of every scenario except memory (5)
        --seconds N               seconds per measurement of submit and progress updates (2)
        --warm-up N               seconds of load before the first measurement (10)
        --connections N           connections of submit, comma-separated (1,8,32)
        --tasks N                 tasks per round of callback (10000)
        --memory-tasks N          tasks of memory (360000: one hour at 100 per second)
        --hanging-callees N       callees that hang (500)
        --hang-seconds N          seconds that they hang (30)
        --max-concurrent-calls N  on_start calls that the server makes at the same time,
                                  comma-separated, with one server each (500,256)
        --rate N                  requests per second and kind while callees hang (100)
        --help                    print this help
      """;

  private static final List<String> ALL = List.of(SUBMIT, CALLBACK, HANGING, MEMORY);

  List<String> scenarios = List.of(SUBMIT, CALLBACK, HANGING);
  List<String> stores = List.of(StoreKind.SQLITE, StoreKind.POSTGRES);
  String server = "cli/target/perdure.jar";
  String heap = "256m";
  List<String> javaOptions = List.of();
  int rounds = 5;
  Duration time = Duration.ofSeconds(2);
  Duration warmUp = Duration.ofSeconds(10);
  List<Integer> connections = List.of(1, 8, 32);
  int tasks = 10_000;
  int memoryTasks = 360_000;
  int hangingCallees = 500;
  Duration hangTime = Duration.ofSeconds(30);
  List<Integer> maxConcurrentCalls = List.of(500, 256);
  int requestsPerSecond = 100;
  boolean help;

  static LoadOptions parse(String... args) {
    LoadOptions options = new LoadOptions();
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--help")) {
        options.help = true;
      } else if (i + 1 == args.length) {
        throw new IllegalArgumentException(
            args[i] + ": unknown option or missing value. See --help");
      } else {
        options.set(args[i], args[++i]);
      }
    }
    return options;
  }

  private void set(String name, String value) {
    switch (name) {
      case "--scenarios" -> scenarios = words(name, value, ALL);
      case "--stores" -> stores = words(name, value, List.of(StoreKind.SQLITE, StoreKind.POSTGRES));
      case "--server" -> server = value;
      case "--heap" -> heap = value;
      case "--java-option" -> javaOptions = List.of(value);
      case "--rounds" -> rounds = number(name, value);
      case "--seconds" -> time = Duration.ofSeconds(number(name, value));
      case "--warm-up" -> warmUp = Duration.ofSeconds(number(name, value));
      case "--connections" -> connections = numbers(name, value);
      case "--tasks" -> tasks = number(name, value);
      case "--memory-tasks" -> memoryTasks = number(name, value);
      case "--hanging-callees" -> hangingCallees = number(name, value);
      case "--hang-seconds" -> hangTime = Duration.ofSeconds(number(name, value));
      case "--max-concurrent-calls" -> maxConcurrentCalls = numbers(name, value);
      case "--rate" -> requestsPerSecond = number(name, value);
      default -> throw new IllegalArgumentException(name + ": unknown option. See --help");
    }
  }

  private static List<String> words(String name, String value, List<String> known) {
    List<String> words = List.of(value.split(",", -1));
    if (!known.containsAll(words)) {
      throw new IllegalArgumentException(
          "%s: must be one or more of %s, not %s".formatted(name, String.join(", ", known), value));
    }
    return words;
  }

  private static List<Integer> numbers(String name, String value) {
    return Arrays.stream(value.split(",", -1)).map(word -> number(name, word)).toList();
  }

  private static int number(String name, String value) {
    try {
      int number = Integer.parseInt(value.replace("_", ""));
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": must be a number, not " + value, e);
    }
    throw new IllegalArgumentException(name + ": must be 1 or more, not " + value);
  }
}
