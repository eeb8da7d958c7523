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

/** A Flight Recorder profile of what runs between start and stop. */
final class JfrProfile {

  private static final int SHOWN = 15;
  private static final String OURS = "dev.perdure.";
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

  /** Writes the file, and prints the methods that were on the processor most often. */
  void stop(PrintStream out) throws IOException {
    recording.stop();
    recording.dump(file);
    recording.close();
    Map<String, Integer> ours = new HashMap<>();
    Map<String, Integer> all = new HashMap<>();
    int samples = 0;
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        if (event.getEventType().getName().equals("jdk.ExecutionSample")) {
          samples++;
          count(event, ours, name -> name.startsWith(OURS) && !name.startsWith(BENCH));
          count(event, all, name -> true);
        }
      }
    }
    print(out, "our own methods, with what they call, of " + samples + " samples", ours, samples);
    print(out, "all methods, by themselves", all, samples);
  }

  /** Counts the innermost frame that is wanted. */
  private static void count(
      RecordedEvent event, Map<String, Integer> counts, Predicate<String> wanted) {
    if (event.getStackTrace() == null) {
      return;
    }
    for (RecordedFrame frame : event.getStackTrace().getFrames()) {
      String type = frame.getMethod().getType().getName();
      if (wanted.test(type)) {
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
            one -> out.printf("  %5.1f %%  %s%n", 100.0 * one.getValue() / samples, one.getKey()));
  }
}
