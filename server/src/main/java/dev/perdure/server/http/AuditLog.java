// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** Records what operators did. */
@FunctionalInterface
public interface AuditLog {

  /** Must not throw: the action is already done. */
  void record(Caller caller, AuditEntry entry);
}
