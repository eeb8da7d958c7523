// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

/**
 * How many there are.
 *
 * @param number at least so many
 * @param more whether there may be more: the server counts no further than {@link #MOST}
 */
public record Count(long number, boolean more) {

  /** The server counts no further. */
  public static final long MOST = 10_000;

  static final Count NONE = new Count(0, false);

  static Count of(long counted) {
    return new Count(counted, counted >= MOST);
  }

  Count plus(Count other) {
    return new Count(number + other.number, more || other.more);
  }

  /** What came since; of two that were not counted to their ends nothing is known but that. */
  Count minus(Count before) {
    return new Count(Math.max(0, number - before.number), more || before.more);
  }

  /** Whether there is none for sure. */
  public boolean isNone() {
    return number == 0 && !more;
  }
}
