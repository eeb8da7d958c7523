// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.PostgresServer;
import dev.perdure.bench.durable.SqliteDatabase;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Measures the server under load over the loopback interface. {@code --help} lists the options.
 *
 * <p>Every scenario compares the database with what the server acknowledged and fails if they
 * differ: numbers of lost work would be worthless.
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
          "java: %s, %d processors shared by load generator and server%n",
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
      case LoadOptions.SUBMIT -> {
        SubmitScenario submit = new SubmitScenario(options);
        submit.run(store);
        submit.print(out, store);
      }
      case LoadOptions.CALLBACK -> {
        CallbackScenario callback = new CallbackScenario(options);
        callback.run(store);
        callback.print(out, store);
      }
      case LoadOptions.HANGING -> {
        for (int maxConcurrentCalls : options.maxConcurrentCalls) {
          HangingCalleeScenario hanging = new HangingCalleeScenario(options, maxConcurrentCalls);
          hanging.run(store);
          hanging.print(out, store);
        }
      }
      case LoadOptions.MEMORY -> {
        MemoryScenario memory = new MemoryScenario(options);
        memory.run(store);
        memory.print(out, store);
      }
      default -> throw new IllegalArgumentException("Unknown scenario: " + scenario);
    }
  }
}
