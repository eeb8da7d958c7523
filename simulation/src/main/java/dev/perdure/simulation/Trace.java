// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.perdure.testing.FakeClock;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What happened, line by line; the hash of all lines, and the last of them. */
final class Trace {

  private static final int SHORT_ID_LENGTH = 6;

  private final InstantSource clock;
  private final int maxLines;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Set<CoveragePoint> coverage = EnumSet.noneOf(CoveragePoint.class);
  private final MessageDigest digest;

  Trace(InstantSource clock, int kept) {
    this.clock = clock;
    this.maxLines = kept;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  void line(String who, String what) {
    long millis = Duration.between(FakeClock.START, clock.instant()).toMillis();
    String line = millis + " ms  " + who + "  " + what;
    digest.update(line.getBytes(UTF_8));
    digest.update((byte) '\n');
    lastLines.add(line);
    if (lastLines.size() > maxLines) {
      lastLines.remove();
    }
  }

  void covered(CoveragePoint coveragePoint) {
    if (coverage.add(coveragePoint)) {
      line("", "· first time: " + coveragePoint);
    }
  }

  Set<CoveragePoint> coverage() {
    return EnumSet.copyOf(coverage);
  }

  List<String> lastLines() {
    return List.copyOf(lastLines);
  }

  /** Ends the trace. */
  String hash() {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The part of an id that tells it from the others. */
  static String shortId(UUID id) {
    return Long.toHexString(id.getLeastSignificantBits() >>> 24).substring(0, SHORT_ID_LENGTH);
  }
}
