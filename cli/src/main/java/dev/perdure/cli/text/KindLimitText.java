// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.KindLimitInfo;
import dev.perdure.client.KindLimitInfo.StartRate;
import dev.perdure.policy.DurationText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the limits of kinds for people. */
public final class KindLimitText {

  private static final int LABEL_COLUMNS = 13;

  private KindLimitText() {}

  public static void set(TerminalWriter writer, KindLimitInfo limit) {
    writer.paragraph("kind %s: %s".formatted(limit.kind(), inWords(limit)));
  }

  public static void removed(TerminalWriter writer, KindLimitInfo limit) {
    writer.paragraph(
        "kind %s has no limits now; it had %s".formatted(limit.kind(), inWords(limit)));
    if (!limit.setBy().equals("operator")) {
      writer.paragraph(
          "They were set by %s, which sets them again when a node starts: remove them there too."
              .formatted(setBy(limit)));
    }
  }

  public static void show(TerminalWriter writer, KindLimitInfo limit, Instant now) {
    writer.field("kind", LABEL_COLUMNS, limit.kind());
    field(writer, "at a time", concurrency(limit.maxConcurrency()));
    field(writer, "starts", rate(limit.rate()));
    field(writer, "per", limit.fields().isEmpty() ? null : String.join(", ", limit.fields()));
    field(
        writer,
        "set by",
        "%s, %s".formatted(setBy(limit), RelativeTime.of(limit.updatedAt(), now)));
  }

  private static void field(TerminalWriter writer, String label, @Nullable String text) {
    if (text != null) {
      writer.field(label, LABEL_COLUMNS, text);
    }
  }

  private static String inWords(KindLimitInfo limit) {
    List<String> words = new ArrayList<>();
    String concurrency = concurrency(limit.maxConcurrency());
    if (concurrency != null) {
      words.add(concurrency + " at a time");
    }
    String rate = rate(limit.rate());
    if (rate != null) {
      words.add(rate);
    }
    return String.join(" and ", words)
        + (limit.fields().isEmpty() ? "" : ", per " + String.join(" and ", limit.fields()));
  }

  private static @Nullable String concurrency(@Nullable Long max) {
    return max == null ? null : "at most " + NumberFormatting.count(max, "task", "tasks");
  }

  private static @Nullable String rate(@Nullable StartRate rate) {
    if (rate == null) {
      return null;
    }
    String most =
        "at most %s in %s"
            .formatted(
                NumberFormatting.count(rate.maxStarts(), "start", "starts"),
                DurationText.format(rate.per()));
    return rate.burst() == 1
        ? most
        : "%s, up to %s at once".formatted(most, NumberFormatting.count(rate.burst()));
  }

  private static String setBy(KindLimitInfo limit) {
    return switch (limit.setBy()) {
      case "operator" -> "an operator";
      case "config" -> "the configuration";
      case "code" -> "the code of a handler";
      default -> limit.setBy();
    };
  }
}
