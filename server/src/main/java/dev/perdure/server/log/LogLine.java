// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * One message, of which everything may be shown.
 *
 * @param logger who says it
 * @param fields what it is about, such as the task, in their order; numbers and texts
 * @param stack where it was thrown; null when nothing was
 */
record LogLine(
    Instant time,
    Level level,
    String logger,
    String message,
    Map<String, Object> fields,
    @Nullable String stack) {}
