// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command-line options of {@link DurableBench}. */
final class DurableBenchOptions {

  static final String HELP =
      """
      Runs no-op tasks from submission to their durable end. The engine, db-scheduler and
      hand-written SQL on the same tables (the baseline) take turns. Prints the median, minimum
      and maximum of the rounds.

        --tasks N           tasks per round (50000)
        --rounds N          rounds per contender (5)
        --scenarios S       comma-separated: backlog, steady (backlog,steady)
        --contenders C      comma-separated: postgres, postgres-db-scheduler, postgres-baseline,
                            sqlite, sqlite-db-scheduler, sqlite-baseline (all)
        --batch N           tasks per submission, and per statement of the baseline (1000)
        --sqlite-batch N    the same on SQLite (500)
        --submitters N      threads that submit (2)
        --slots N           slots of the engine (2000)
        --threads N         thread counts to try for db-scheduler, comma-separated (20,50,100)
        --slow-max-tasks N  maximum tasks per round for db-scheduler on SQLite (2000)
        --warm-up N         tasks of the uncounted first round of each contender (5000)
        --waiting N         measure the engine also with N tasks that wait for next week (0)
        --json              print the results as JSON after the tables
        --profile FILE      record all rounds with Flight Recorder and print the hottest methods;
                            best with a single contender
        --help              print this help
      """;

  /** When workers start. */
  enum Scenario {
    /** After all tasks are submitted. */
    BACKLOG,
    /** Before the first task is submitted. */
    STEADY
  }

  int tasks = 50_000;
  int rounds = 5;
  int batch = 1_000;
  int sqliteBatch = 500;
  int submitters = 2;
  int slots = 2_000;
  int slowMaxTasks = 2_000;
  int warmUp = 5_000;
  int waiting;
  boolean json;
  boolean help;
  @Nullable Path profile;
  List<Integer> threads = List.of(20, 50, 100);
  Set<Scenario> scenarios = EnumSet.allOf(Scenario.class);
  Set<String> contenders = new TreeSet<>(ContenderSetups.NAMES);

  static DurableBenchOptions parse(String... args) {
    DurableBenchOptions options = new DurableBenchOptions();
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--json" -> options.json = true;
        case "--help" -> options.help = true;
        default -> {
          if (i + 1 == args.length) {
            throw new IllegalArgumentException(
                args[i] + ": unknown option or missing value. See --help");
          }
          options.set(args[i], args[++i]);
        }
      }
    }
    return options;
  }

  private void set(String name, String value) {
    switch (name) {
      case "--tasks" -> tasks = number(name, value, 1);
      case "--rounds" -> rounds = number(name, value, 1);
      case "--batch" -> batch = number(name, value, 1);
      case "--sqlite-batch" -> sqliteBatch = number(name, value, 1);
      case "--submitters" -> submitters = number(name, value, 1);
      case "--slots" -> slots = number(name, value, 1);
      case "--slow-max-tasks" -> slowMaxTasks = number(name, value, 1);
      case "--warm-up" -> warmUp = number(name, value, 0);
      case "--waiting" -> waiting = number(name, value, 0);
      case "--profile" -> profile = Path.of(value);
      case "--threads" -> threads = words(value).map(word -> number(name, word, 1)).toList();
      case "--scenarios" -> scenarios = scenarios(value);
      case "--contenders" -> contenders = contenders(value);
      default -> throw new IllegalArgumentException(name + ": unknown option. See --help");
    }
  }

  private static Stream<String> words(String value) {
    return Arrays.stream(value.split(",", -1)).map(String::strip);
  }

  private static int number(String name, String value, int min) {
    try {
      int number = Integer.parseInt(value.replace("_", ""));
      if (number >= min) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": must be a number, not " + value, e);
    }
    throw new IllegalArgumentException(name + ": must be " + min + " or more, not " + value);
  }

  private static Set<Scenario> scenarios(String value) {
    Set<Scenario> chosen = EnumSet.noneOf(Scenario.class);
    words(value)
        .forEach(
            word -> {
              switch (word) {
                case "backlog" -> chosen.add(Scenario.BACKLOG);
                case "steady" -> chosen.add(Scenario.STEADY);
                default ->
                    throw new IllegalArgumentException(
                        "--scenarios: must be backlog or steady, not " + word);
              }
            });
    return chosen;
  }

  private static Set<String> contenders(String value) {
    Set<String> chosen = new TreeSet<>(words(value).toList());
    if (!ContenderSetups.NAMES.containsAll(chosen)) {
      throw new IllegalArgumentException(
          "--contenders: must be one or more of %s, not %s"
              .formatted(String.join(", ", ContenderSetups.NAMES), value));
    }
    return chosen;
  }
}
