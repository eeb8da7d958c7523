// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.store.jdbc.access.SecretStore;
import dev.perdure.store.jdbc.access.SecretStore.Secret;
import java.util.random.RandomGenerator;

/**
 * The keys that make handles. They are in the store, so that every node takes the handles of every
 * other; the first node that starts brings the first one.
 */
public final class HandleKeys {

  private static final String PURPOSE = "handle";
  private static final int MAX_KEYS = 16;

  private HandleKeys() {}

  /**
   * The handles of all nodes.
   *
   * @param random a source that nobody can foresee
   */
  public static HandleTokens load(SecretStore secrets, RandomGenerator random) {
    if (secrets.list(PURPOSE, 1).isEmpty()) {
      String first = HandleKey.generate("1", random).secret();
      secrets.add(PURPOSE, new Secret(1, first));
    }
    return new HandleTokens(secrets.list(PURPOSE, MAX_KEYS).stream().map(HandleKeys::key).toList());
  }

  private static HandleKey key(Secret secret) {
    return HandleKey.of(Integer.toString(secret.number()), secret.text());
  }
}
