// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.simulation.bug.Bug;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The simulation on the command line. */
public final class Simulate {

  private static final String USAGE =
      "usage: Simulate --seed N | --seeds FROM..TO [--bug NAME|all]\n"
          + "  --seed N          replays one seed and prints its trace\n"
          + "  --seeds FROM..TO  runs a range of seeds\n"
          + "  --bug NAME        with this bug planted: "
          + String.join(", ", names());

  private final PrintStream out;

  private Simulate(PrintStream out) {
    this.out = out;
  }

  /** Exits with 0 when nothing was found, with 1 when something was, with 2 after wrong use. */
  public static void main(String... arguments) {
    // Before the first virtual thread: fibers are quickest when they share one carrier.
    System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
    System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    System.exit(new Simulate(System.out).answer(arguments));
  }

  private static java.util.List<String> names() {
    return EnumSet.complementOf(EnumSet.of(Bug.NONE)).stream().map(Simulate::name).toList();
  }

  private static String name(Bug bug) {
    return bug.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private int answer(String... arguments) {
    @Nullable Request request = Request.of(arguments);
    if (request == null) {
      out.println(USAGE);
      return 2;
    }
    if (request.bugs().size() > 1) {
      return table(request);
    }
    Bug bug = request.bugs().iterator().next();
    return request.from() == request.to() ? replay(request.from(), bug) : range(request, bug);
  }

  private int replay(long seed, Bug bug) {
    Simulation.Report report = Seeds.run(seed, bug, Integer.MAX_VALUE);
    report.trace().forEach(out::println);
    out.println(Seeds.summary(report));
    return report.finding() == null ? 0 : 1;
  }

  private int range(Request request, Bug bug) {
    Seeds seeds = Seeds.run(request.from(), request.to(), bug);
    seeds.failures().stream().limit(1).forEach(report -> out.println(Seeds.explain(report, bug)));
    seeds.failures().forEach(report -> out.println(Seeds.summary(report)));
    out.println(seeds.summary());
    return seeds.failures().isEmpty() ? 0 : 1;
  }

  private int table(Request request) {
    out.println("| bug | found by | first seed | seeds of " + request.count() + " |");
    out.println("|---|---|---|---|");
    boolean all = true;
    for (Bug bug : request.bugs()) {
      Seeds seeds = Seeds.run(request.from(), request.to(), bug);
      all &= !seeds.failures().isEmpty();
      out.println(seeds.row(name(bug)));
    }
    return all ? 0 : 1;
  }

  /** What was asked for. */
  private record Request(long from, long to, Set<Bug> bugs) {

    long count() {
      return to - from + 1;
    }

    static @Nullable Request of(String... arguments) {
      long from = 0;
      long to = -1;
      Set<Bug> bugs = EnumSet.of(Bug.NONE);
      try {
        for (int i = 0; i + 1 < arguments.length; i += 2) {
          String value = arguments[i + 1];
          switch (arguments[i]) {
            case "--seed" -> {
              from = Long.parseLong(value);
              to = from;
            }
            case "--seeds" -> {
              String[] ends = value.split("\\.\\.", -1);
              from = Long.parseLong(ends[0]);
              to = Long.parseLong(ends[1]);
            }
            case "--bug" -> bugs = bugs(value);
            default -> {
              return null;
            }
          }
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
        return null;
      }
      return arguments.length % 2 != 0 || to < from ? null : new Request(from, to, bugs);
    }

    private static Set<Bug> bugs(String name) {
      return name.equals("all")
          ? EnumSet.complementOf(EnumSet.of(Bug.NONE))
          : EnumSet.of(Bug.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')));
    }
  }
}
