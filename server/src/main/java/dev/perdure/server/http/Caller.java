// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The client that sent a request, after authentication.
 *
 * @param name the name of its API key, for people
 * @param keyId the id of its API key; null if it has none
 * @param roles what it may do
 */
public record Caller(String name, @Nullable String keyId, Set<Role> roles) {

  /** The caller on a server without API keys: it may do everything. */
  public static final Caller ANYONE = new Caller("anyone", null, Set.of(Role.ADMIN));

  /** A caller that sent no key to a server that requires one. */
  public static final Caller UNAUTHENTICATED = new Caller("unauthenticated", null, Set.of());

  public Caller {
    roles = Set.copyOf(roles);
  }

  public boolean may(Role role) {
    return role == Role.NONE || roles.stream().anyMatch(own -> own.includes(role));
  }

  boolean isAuthenticated() {
    return !equals(UNAUTHENTICATED);
  }
}
