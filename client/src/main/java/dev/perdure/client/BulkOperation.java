// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

/** What {@link PerdureClient#bulk} can do to tasks. */
public enum BulkOperation {
  CANCEL,
  PAUSE,
  RESUME,
  RETRY
}
