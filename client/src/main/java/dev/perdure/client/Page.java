// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list. The server looks at a limited number of tasks for each page, so a page may be
 * short or empty although there is a next one.
 *
 * @param next the cursor of the next page; null on the last one
 * @param total the number of matches on all pages, counted up to 10,000; null where the server does
 *     not count
 * @param lookedAt how many tasks the server looked at, if it stopped there before the page was
 *     full; else null
 * @param reached if the server stopped early, the instant of the last task it looked at; else null
 */
public record Page<T>(
    List<T> items,
    @Nullable String next,
    @Nullable Long total,
    @Nullable Long lookedAt,
    @Nullable Instant reached) {

  public Page {
    items = List.copyOf(items);
  }

  /** The same page as the last one of its list. */
  Page<T> withoutNext() {
    return new Page<>(items, null, total, lookedAt, reached);
  }
}
