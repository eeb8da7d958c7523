// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What to measure. */
final class LoadOptions {

  static final String POSTS = "posts";
  static final String CALLBACKS = "callbacks";
  static final String HANGING = "hanging";
  static final String MEMORY = "memory";

  static final String HELP =
      """
      Starts the server as a process of its own and drives it over loopback: how much it answers,
      how soon, what it holds in memory, and what callees that hang do to its API.

        --scenarios S    with commas: posts, callbacks, hanging, memory (posts,callbacks,hanging)
        --stores S       sqlite, postgres or both, with commas (sqlite,postgres)
        --server PATH    the server's jar (cli/target/perdure.jar)
        --heap SIZE      the server's heap (256m)
        --java FLAG      one more flag of the server's Java, such as -XX:StartFlightRecording=…
        --rounds R       rounds of everything but memory (5)
        --seconds S      of each measurement of posts and of counters (2)
        --warm-up S      seconds of load before anything is counted (10)
        --connections C  connections of posts, with commas (1,8,32)
        --tasks N        tasks of a round of callbacks (10000)
        --hour N         tasks of memory: an hour of 100 a second (360000)
        --hanging N      callees that hang (500)
        --hang S         seconds that they hang (30)
        --at-once C      on_start calls that the server has under way at once, with commas, one
                         server each (500,256)
        --rate R         requests a second, of each kind, while callees hang (100)
        --help           this
      """;

  private static final List<String> ALL = List.of(POSTS, CALLBACKS, HANGING, MEMORY);

  List<String> scenarios = List.of(POSTS, CALLBACKS, HANGING);
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
  int hanging = 500;
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
        throw new IllegalArgumentException(args[i] + ": unknown, or has no value; see --help");
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
      case "--java" -> javaOptions = List.of(value);
      case "--rounds" -> rounds = number(name, value);
      case "--seconds" -> time = Duration.ofSeconds(number(name, value));
      case "--warm-up" -> warmUp = Duration.ofSeconds(number(name, value));
      case "--connections" -> connections = numbers(name, value);
      case "--tasks" -> tasks = number(name, value);
      case "--hour" -> memoryTasks = number(name, value);
      case "--hanging" -> hanging = number(name, value);
      case "--hang" -> hangTime = Duration.ofSeconds(number(name, value));
      case "--at-once" -> maxConcurrentCalls = numbers(name, value);
      case "--rate" -> requestsPerSecond = number(name, value);
      default -> throw new IllegalArgumentException(name + ": unknown; see --help");
    }
  }

  private static List<String> words(String name, String value, List<String> known) {
    List<String> words = List.of(value.split(",", -1));
    if (!known.containsAll(words)) {
      throw new IllegalArgumentException(
          "%s: must be of %s, not %s".formatted(name, String.join(", ", known), value));
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
    } catch (NumberFormatException notOne) {
      throw new IllegalArgumentException(name + ": must be a number, not " + value, notOne);
    }
    throw new IllegalArgumentException(name + ": must be 1 or more, not " + value);
  }
}
