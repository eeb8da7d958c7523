// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param name for people
 * @param keyId the id of the key it showed; null when none was asked for
 * @param roles what it may do
 */
public record Caller(String name, @Nullable String keyId, Set<Role> roles) {

  /** Whoever reaches a server that asks for no keys: it may do everything. */
  public static final Caller ANYONE = new Caller("anyone", null, Set.of(Role.ADMIN));

  /** Whoever shows no key to a server that asks for one. */
  public static final Caller UNAUTHENTICATED = new Caller("unauthenticated", null, Set.of());

  public Caller {
    roles = Set.copyOf(roles);
  }

  public boolean may(Role role) {
    return role == Role.NONE || roles.contains(Role.ADMIN) || roles.contains(role);
  }

  boolean isAuthenticated() {
    return !equals(UNAUTHENTICATED);
  }
}
