// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.server.webhook.handle.HandleKey;
import dev.perdure.server.webhook.handle.Handles;
import dev.perdure.store.jdbc.access.SecretBook;
import dev.perdure.store.jdbc.access.SecretBook.Secret;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The keys that make handles. They are in the store, so that every node takes the handles of every
 * other; the first node that starts brings the first one.
 */
public final class HandleKeys {

  private static final String PURPOSE = "handle";
  private static final int MOST = 16;

  private HandleKeys() {}

  /**
   * The handles of all nodes.
   *
   * @param random a source that nobody can foresee
   */
  public static Handles load(SecretBook secrets, RandomGenerator random) {
    if (secrets.list(PURPOSE, 1).isEmpty()) {
      add(secrets, 1, random);
    }
    return new Handles(secrets.list(PURPOSE, MOST).stream().map(HandleKeys::key).toList());
  }

  /** Brings a newer key; handles of the older ones are still taken. */
  public static void rotate(SecretBook secrets, RandomGenerator random) {
    List<Secret> newest = secrets.list(PURPOSE, 1);
    add(secrets, newest.isEmpty() ? 1 : newest.getFirst().number() + 1, random);
  }

  private static void add(SecretBook secrets, int number, RandomGenerator random) {
    String secret = HandleKey.generate(Integer.toString(number), random).secret();
    secrets.add(PURPOSE, new Secret(number, secret));
  }

  private static HandleKey key(Secret secret) {
    return HandleKey.of(Integer.toString(secret.number()), secret.text());
  }
}
