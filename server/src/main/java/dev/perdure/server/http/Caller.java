// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.Set;

/**
 * Who asks.
 *
 * @param name for the log
 * @param roles what it may do
 */
public record Caller(String name, Set<Role> roles) {

  /** Whoever reaches a server that asks for no keys: it may do everything. */
  public static final Caller ANYONE = new Caller("anyone", Set.of(Role.ADMIN));

  public Caller {
    roles = Set.copyOf(roles);
  }

  public boolean may(Role role) {
    return roles.contains(Role.ADMIN) || roles.contains(role);
  }
}
