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

/** What to measure. */
final class DurableBenchOptions {

  static final String HELP =
      """
      Runs no-op tasks from submit to their durable end, on the engine, on db-scheduler and with
      bare SQL on the same tables, in turn, and prints median and spread of the rounds.

        --tasks N         tasks of a round (50000)
        --rounds R        rounds of each subject (5)
        --scenarios S     backlog, steady or both, with commas (backlog,steady)
        --subjects S      with commas: postgres, postgres-scheduler, postgres-floor, sqlite,
                          sqlite-scheduler, sqlite-floor (all)
        --batch N         tasks of a submission, and of the floor's other statements (1000)
        --sqlite-batch N  the same on SQLite (500)
        --submitters N    threads that submit (2)
        --slots N         slots of the engine (2000)
        --threads T       thread counts tried for db-scheduler, with commas (20,50,100)
        --slow-most N     most tasks of a round of db-scheduler on SQLite (2000)
        --warm-up N       tasks of a round that is not counted, one of each subject (5000)
        --waiting N       also with so many tasks that wait for next week (0)
        --json            prints the figures as JSON, after the table
        --profile FILE    records all rounds with Flight Recorder and prints the hot methods;
                          best with one of the --subjects
        --help            this
      """;

  /** When the work begins. */
  enum Scenario {
    /** After all was submitted. */
    BACKLOG,
    /** While it is submitted. */
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
            throw new IllegalArgumentException(args[i] + ": unknown, or has no value; see --help");
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
      case "--slow-most" -> slowMaxTasks = number(name, value, 1);
      case "--warm-up" -> warmUp = number(name, value, 0);
      case "--waiting" -> waiting = number(name, value, 0);
      case "--profile" -> profile = Path.of(value);
      case "--threads" -> threads = words(value).map(word -> number(name, word, 1)).toList();
      case "--scenarios" -> scenarios = scenarios(value);
      case "--subjects" -> contenders = contenders(value);
      default -> throw new IllegalArgumentException(name + ": unknown; see --help");
    }
  }

  private static Stream<String> words(String value) {
    return Arrays.stream(value.split(",", -1)).map(String::strip);
  }

  private static int number(String name, String value, int least) {
    try {
      int number = Integer.parseInt(value.replace("_", ""));
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException notOne) {
      throw new IllegalArgumentException(name + ": must be a number, not " + value, notOne);
    }
    throw new IllegalArgumentException(name + ": must be " + least + " or more, not " + value);
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
          "--subjects: must be of " + String.join(", ", ContenderSetups.NAMES) + ", not " + value);
    }
    return chosen;
  }
}
