// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a caller may do. */
public enum Role {
  /** No role is needed, or the handler itself checks the caller. */
  NONE,
  /** Read everything. */
  READ,
  /** Submit tasks. */
  SUBMIT,
  /** Claim tasks and settle them. */
  WORK,
  /** Act on tasks, batches, deliveries and firings that exist, and read everything. */
  OPERATE,
  /** Do everything. */
  ADMIN;

  /** The roles that a key can have. */
  public static final List<Role> ASSIGNABLE = List.of(READ, SUBMIT, WORK, OPERATE, ADMIN);

  /** The role with this name. */
  public static Optional<Role> of(String text) {
    return ASSIGNABLE.stream().filter(role -> role.text().equals(text)).findFirst();
  }

  /** The roles with these names; names of no role are left out. */
  public static Set<Role> all(List<String> texts) {
    return texts.stream().flatMap(text -> of(text).stream()).collect(Collectors.toSet());
  }

  /** True if a caller with this role may do what the other role allows. */
  boolean includes(Role other) {
    return this == other || this == ADMIN || other == NONE || (this == OPERATE && other == READ);
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
