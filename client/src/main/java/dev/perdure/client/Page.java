// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param next the cursor of the next page; null on the last one
 * @param total the number of matches on all pages, counted up to 10,000; null where the server does
 *     not count
 */
public record Page<T>(List<T> items, @Nullable String next, @Nullable Long total) {

  public Page {
    items = List.copyOf(items);
  }
}
