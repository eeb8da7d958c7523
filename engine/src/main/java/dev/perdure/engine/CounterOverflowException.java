// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.util.UUID;

/** A counter would exceed the largest number it can hold; nothing was added. */
public final class CounterOverflowException extends RuntimeException {

  private static final long serialVersionUID = 1;

  CounterOverflowException(UUID task) {
    super("task %s: a counter would exceed %d; nothing was added".formatted(task, Long.MAX_VALUE));
  }
}
