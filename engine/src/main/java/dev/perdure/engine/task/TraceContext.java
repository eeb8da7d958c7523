// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in a trace, as W3C Trace Context defines it: the span that is the parent of what comes
 * next.
 *
 * <p>Contexts that the engine derives are a pure function of stored data, so every node derives the
 * same one without writing it.
 *
 * @param traceId 32 hexadecimal digits, not all 0
 * @param spanId 16 hexadecimal digits, not all 0
 * @param sampled true when the owner of the span may have recorded it
 * @param state {@code tracestate}, validated; null when there is none
 */
public record TraceContext(String traceId, String spanId, boolean sampled, @Nullable String state) {

  /** Version, trace id, span id, flags, and fields that later versions may add. */
  private static final Pattern FORM =
      Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]+");
  private static final String VERSION = "00";
  private static final String NO_VERSION = "ff";
  private static final String NO_TRACE = "0".repeat(32);
  private static final String NO_SPAN = "0".repeat(16);
  private static final char SEPARATOR = ' ';
  private static final int SAMPLED = 1;
  private static final long FIRST_FACTOR = 0xff51afd7ed558ccdL;
  private static final long SECOND_FACTOR = 0xc4ceb9fe1a85ec53L;
  private static final int SHIFT = 33;

  public TraceContext {
    if (!isId(traceId, NO_TRACE) || !isId(spanId, NO_SPAN)) {
      throw new IllegalArgumentException(
          "traceId and spanId: must be 32 and 16 lower-case hexadecimal digits, not all 0");
    }
  }

  private static boolean isId(String text, String zero) {
    return text.length() == zero.length() && !text.equals(zero) && DIGITS.matcher(text).matches();
  }

  /** Parses the header {@code traceparent}; empty when it breaks any rule. */
  public static Optional<TraceContext> parse(String traceparent) {
    Matcher form = FORM.matcher(traceparent);
    if (!form.matches() || form.group(1).equals(NO_VERSION)) {
      return Optional.empty();
    }
    boolean more = form.group(5) != null;
    boolean nothing = form.group(2).equals(NO_TRACE) || form.group(3).equals(NO_SPAN);
    if (nothing || (more && form.group(1).equals(VERSION))) {
      return Optional.empty();
    }
    boolean sampled = (HexFormat.fromHexDigits(form.group(4)) & SAMPLED) != 0;
    return Optional.of(new TraceContext(form.group(2), form.group(3), sampled, null));
  }

  /**
   * Parses both headers; empty when {@code traceparent} breaks any rule. An invalid {@code
   * tracestate} is ignored.
   */
  public static Optional<TraceContext> parse(String traceparent, @Nullable String tracestate) {
    Optional<TraceContext> parent = parse(traceparent);
    return tracestate == null
        ? parent
        : parent.map(context -> context.withState(TraceState.read(tracestate).orElse(null)));
  }

  /** The trace of what happens to a batch as a whole: one for each batch. */
  public static TraceContext ofBatch(UUID batch) {
    return of(batch);
  }

  /**
   * The trace of a task that was submitted outside a trace: one for each task, the same on every
   * node.
   */
  static TraceContext of(UUID task) {
    // The mapping is one to one, so no two tasks share a trace. It mixes the bits because samplers
    // that take a share of all traces go by these bits, and some are the same in every id.
    String traceId =
        hex(task.getMostSignificantBits()) + hex(mixed(task.getLeastSignificantBits()));
    return new TraceContext(
        traceId.equals(NO_TRACE) ? NO_TRACE.substring(1) + "1" : traceId,
        span(task, 0),
        true,
        null);
  }

  /** The same trace at the span of this lease. */
  TraceContext at(LeaseKey lease) {
    return new TraceContext(traceId, span(lease.task(), lease.epoch()), sampled, state);
  }

  /** A copy with another sampled flag. */
  public TraceContext withSampled(boolean value) {
    return new TraceContext(traceId, spanId, value, state);
  }

  private TraceContext withState(@Nullable String value) {
    return new TraceContext(traceId, spanId, sampled, value);
  }

  /** The header {@code traceparent}. */
  public String traceparent() {
    return VERSION + "-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
  }

  /** Both headers in one line, as stores keep them. */
  public String text() {
    return state == null ? traceparent() : traceparent() + SEPARATOR + state;
  }

  /** Reads what {@link #text()} wrote; null when the text is null or invalid. */
  public static @Nullable TraceContext ofText(@Nullable String text) {
    if (text == null) {
      return null;
    }
    int end = text.indexOf(SEPARATOR);
    return end < 0
        ? parse(text).orElse(null)
        : parse(text.substring(0, end), text.substring(end + 1)).orElse(null);
  }

  private static String span(UUID task, long epoch) {
    long bits =
        mixed(mixed(task.getMostSignificantBits() + epoch) ^ task.getLeastSignificantBits());
    return hex(bits == 0 ? 1 : bits);
  }

  /** A one-to-one mapping in which each output bit depends on every input bit. */
  private static long mixed(long bits) {
    long mix = (bits ^ (bits >>> SHIFT)) * FIRST_FACTOR;
    mix = (mix ^ (mix >>> SHIFT)) * SECOND_FACTOR;
    return mix ^ (mix >>> SHIFT);
  }

  private static String hex(long bits) {
    return HexFormat.of().toHexDigits(bits);
  }
}
