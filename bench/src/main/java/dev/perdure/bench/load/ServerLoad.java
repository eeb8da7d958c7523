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
    LoadOptions loadOptions;
    try {
      loadOptions = LoadOptions.parse(args);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    if (loadOptions.help) {
      out.print(LoadOptions.HELP);
      return;
    }
    run(loadOptions, out);
  }

  static void run(LoadOptions loadOptions, PrintStream out) throws Exception {
    try (PostgresServer postgres = PostgresServer.start()) {
      out.printf("postgres: %s%nsqlite: %s%n", postgres.settings(), SqliteDatabase.pragmas());
      out.printf(
          "java: %s, %d processors, which the load and the server share%n",
          Runtime.version(), Runtime.getRuntime().availableProcessors());
      for (String scenario : loadOptions.scenarios) {
        for (String name : loadOptions.stores) {
          run(scenario, new StoreKind(name, postgres), loadOptions, out);
        }
      }
    }
  }

  private static void run(
      String scenario, StoreKind storeKind, LoadOptions loadOptions, PrintStream out)
      throws Exception {
    switch (scenario) {
      case LoadOptions.POSTS -> {
        SubmitScenario submitScenario = new SubmitScenario(loadOptions);
        submitScenario.run(storeKind);
        submitScenario.print(out, storeKind);
      }
      case LoadOptions.CALLBACKS -> {
        CallbackScenario callbackScenario = new CallbackScenario(loadOptions);
        callbackScenario.run(storeKind);
        callbackScenario.print(out, storeKind);
      }
      case LoadOptions.HANGING -> {
        for (int atOnce : loadOptions.maxConcurrentCalls) {
          HangingCalleeScenario hangingCalleeScenario =
              new HangingCalleeScenario(loadOptions, atOnce);
          hangingCalleeScenario.run(storeKind);
          hangingCalleeScenario.print(out, storeKind);
        }
      }
      case LoadOptions.MEMORY -> {
        MemoryScenario memoryScenario = new MemoryScenario(loadOptions);
        memoryScenario.run(storeKind);
        memoryScenario.print(out, storeKind);
      }
      default -> throw new IllegalArgumentException("no scenario " + scenario);
    }
  }
}
