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
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    if (options.help) {
      out.print(Options.HELP);
      return;
    }
    run(options, out);
  }

  static void run(Options options, PrintStream out) throws Exception {
    try (PostgresServer postgres = PostgresServer.start()) {
      out.printf("postgres: %s%nsqlite: %s%n", postgres.settings(), SqliteDatabase.pragmas());
      out.printf(
          "java: %s, %d processors, which the load and the server share%n",
          Runtime.version(), Runtime.getRuntime().availableProcessors());
      for (String scenario : options.scenarios) {
        for (String name : options.stores) {
          run(scenario, new Store(name, postgres), options, out);
        }
      }
    }
  }

  private static void run(String scenario, Store store, Options options, PrintStream out)
      throws Exception {
    switch (scenario) {
      case Options.POSTS -> {
        Posts posts = new Posts(options);
        posts.run(store);
        posts.print(out, store);
      }
      case Options.CALLBACKS -> {
        Callbacks callbacks = new Callbacks(options);
        callbacks.run(store);
        callbacks.print(out, store);
      }
      case Options.HANGING -> {
        for (int atOnce : options.atOnce) {
          Hanging hanging = new Hanging(options, atOnce);
          hanging.run(store);
          hanging.print(out, store);
        }
      }
      case Options.MEMORY -> {
        Memory memory = new Memory(options);
        memory.run(store);
        memory.print(out, store);
      }
      default -> throw new IllegalArgumentException("no scenario " + scenario);
    }
  }
}
