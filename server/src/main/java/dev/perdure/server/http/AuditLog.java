// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

/** Writes down what operators did. */
@FunctionalInterface
public interface AuditLog {

  /** Must not fail: the deed is done. */
  void record(Caller caller, AuditEntry auditEntry);
}
