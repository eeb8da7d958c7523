// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.perdure.store.testkit.FakeClock;
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

  private static final int SHORT_ID = 6;

  private final InstantSource clock;
  private final int kept;
  private final Deque<String> last = new ArrayDeque<>();
  private final Set<Situation> seen = EnumSet.noneOf(Situation.class);
  private final MessageDigest digest;

  Trace(InstantSource clock, int kept) {
    this.clock = clock;
    this.kept = kept;
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
    last.add(line);
    if (last.size() > kept) {
      last.remove();
    }
  }

  void saw(Situation situation) {
    if (seen.add(situation)) {
      line("", "· first time: " + situation);
    }
  }

  Set<Situation> seen() {
    return EnumSet.copyOf(seen);
  }

  List<String> last() {
    return List.copyOf(last);
  }

  /** Ends the trace. */
  String hash() {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The part of an id that tells it from the others. */
  static String brief(UUID id) {
    return Long.toHexString(id.getLeastSignificantBits() >>> 24).substring(0, SHORT_ID);
  }
}
