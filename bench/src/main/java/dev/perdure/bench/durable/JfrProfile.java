// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Profiles the code between start and stop with Flight Recorder. */
final class JfrProfile {

  private static final int SHOWN = 15;
  private static final String PERDURE = "dev.perdure.";
  private static final String BENCH = "dev.perdure.bench.";

  private final Path file;
  private final Recording recording;

  private JfrProfile(Path file, Recording recording) {
    this.file = file;
    this.recording = recording;
  }

  static JfrProfile start(Path file) throws IOException {
    try {
      JfrProfile profile =
          new JfrProfile(file, new Recording(Configuration.getConfiguration("profile")));
      profile.recording.start();
      return profile;
    } catch (ParseException e) {
      throw new IOException(e);
    }
  }

  /** Writes the file and prints the methods that used the most CPU time. */
  void stop(PrintStream out) throws IOException {
    recording.stop();
    recording.dump(file);
    recording.close();
    Map<String, Integer> perdure = new HashMap<>();
    Map<String, Integer> all = new HashMap<>();
    int samples = 0;
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        if (event.getEventType().getName().equals("jdk.ExecutionSample")) {
          samples++;
          count(event, perdure, name -> name.startsWith(PERDURE) && !name.startsWith(BENCH));
          count(event, all, name -> true);
        }
      }
    }
    print(out, "methods of Perdure including callees, " + samples + " samples", perdure, samples);
    print(out, "all methods excluding callees", all, samples);
  }

  /** Counts the innermost frame whose class matches. */
  private static void count(
      RecordedEvent event, Map<String, Integer> counts, Predicate<String> matches) {
    if (event.getStackTrace() == null) {
      return;
    }
    for (RecordedFrame frame : event.getStackTrace().getFrames()) {
      String type = frame.getMethod().getType().getName();
      if (matches.test(type)) {
        counts.merge(type + "." + frame.getMethod().getName(), 1, Integer::sum);
        return;
      }
    }
  }

  private static void print(
      PrintStream out, String title, Map<String, Integer> counts, int samples) {
    out.println();
    out.println(title);
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(SHOWN)
        .forEach(
            method ->
                out.printf(
                    "  %5.1f %%  %s%n", 100.0 * method.getValue() / samples, method.getKey()));
  }
}
