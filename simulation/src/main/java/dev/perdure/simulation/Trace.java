// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The lines that a run writes: a hash of all of them, and the last ones. */
final class Trace {

  private static final int SHORT_ID_LENGTH = 6;

  private final InstantSource clock;
  private final Instant start;
  private final int maxLines;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Set<CoveragePoint> coverage = EnumSet.noneOf(CoveragePoint.class);
  private final MessageDigest digest;

  Trace(InstantSource clock, int maxLines) {
    this.clock = clock;
    this.start = clock.instant();
    this.maxLines = maxLines;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("this Java has no SHA-256", impossible);
    }
  }

  void line(String source, String text) {
    long millis = Duration.between(start, clock.instant()).toMillis();
    String line = millis + " ms  " + source + "  " + text;
    digest.update(line.getBytes(UTF_8));
    digest.update((byte) '\n');
    lastLines.add(line);
    if (lastLines.size() > maxLines) {
      lastLines.remove();
    }
  }

  void covered(CoveragePoint point) {
    if (coverage.add(point)) {
      line("", "· reached " + point);
    }
  }

  Set<CoveragePoint> coverage() {
    return EnumSet.copyOf(coverage);
  }

  List<String> lastLines() {
    return List.copyOf(lastLines);
  }

  /** Returns the hash of all lines. Call it once, at the end of the run. */
  String hash() {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Returns the digits in which the ids of a run differ. */
  static String shortId(UUID id) {
    return Long.toHexString(id.getLeastSignificantBits() >>> 24).substring(0, SHORT_ID_LENGTH);
  }
}
