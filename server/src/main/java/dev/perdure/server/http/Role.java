// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.Locale;

/** What a caller may do. */
public enum Role {
  /** Look at everything. */
  READ,
  /** Submit tasks. */
  SUBMIT,
  /** Claim tasks and settle them. */
  WORK,
  /** Everything. */
  ADMIN;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
