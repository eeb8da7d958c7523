// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.PostgresServer;
import dev.perdure.bench.durable.SqliteDatabase;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What the server bears over loopback. {@code --help} tells the options.
 *
 * <p>Every scenario checks in the tables that all that was confirmed is there; figures of anything
 * else would mean nothing.
 */
public final class ServerLoad {

  private ServerLoad() {}

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    LoadOptions options;
    try {
      options = LoadOptions.parse(args);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    if (options.help) {
      out.print(LoadOptions.HELP);
      return;
    }
    run(options, out);
  }

  static void run(LoadOptions options, PrintStream out) throws Exception {
    try (PostgresServer postgres = PostgresServer.start()) {
      out.printf("postgres: %s%nsqlite: %s%n", postgres.settings(), SqliteDatabase.pragmas());
      out.printf(
          "java: %s, %d processors, which the load and the server share%n",
          Runtime.version(), Runtime.getRuntime().availableProcessors());
      for (String scenario : options.scenarios) {
        for (String name : options.stores) {
          run(scenario, new StoreKind(name, postgres), options, out);
        }
      }
    }
  }

  private static void run(String scenario, StoreKind store, LoadOptions options, PrintStream out)
      throws Exception {
    switch (scenario) {
      case LoadOptions.POSTS -> {
        SubmitScenario submitScenario = new SubmitScenario(options);
        submitScenario.run(store);
        submitScenario.print(out, store);
      }
      case LoadOptions.CALLBACKS -> {
        CallbackScenario callbackScenario = new CallbackScenario(options);
        callbackScenario.run(store);
        callbackScenario.print(out, store);
      }
      case LoadOptions.HANGING -> {
        for (int atOnce : options.maxConcurrentCalls) {
          HangingCalleeScenario hangingCalleeScenario = new HangingCalleeScenario(options, atOnce);
          hangingCalleeScenario.run(store);
          hangingCalleeScenario.print(out, store);
        }
      }
      case LoadOptions.MEMORY -> {
        MemoryScenario memoryScenario = new MemoryScenario(options);
        memoryScenario.run(store);
        memoryScenario.print(out, store);
      }
      default -> throw new IllegalArgumentException("no scenario " + scenario);
    }
  }
}
