// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Stores due times as text with the offset of the writer's machine and compares the text. As text,
 * 14:00:00+02:00 comes after 12:30:00Z, although it is the earlier instant.
 */
final class InstantsAsText extends ForwardingStore {

  private final InstantSource clock;
  private final ZoneOffset zone;

  InstantsAsText(TaskStore inner, InstantSource clock, ZoneOffset zone) {
    super(inner);
    this.clock = clock;
    this.zone = zone;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    return inner.submit(
        new Submission(
            submission.batch(),
            submission.definition(),
            submission.tasks().stream()
                .map(
                    row ->
                        new Submission.NewTaskRow(
                            row.id(),
                            row.definition(),
                            asText(row.due()),
                            row.importedHistory(),
                            row.expectedCount(),
                            row.cancelAtDeadEnd()))
                .toList(),
            submission.dependencies(),
            submission.key()));
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return inner.apply(changes.stream().map(this::asText).toList());
  }

  private TaskChange asText(TaskChange change) {
    return new TaskChange(
        change.task(),
        change.guard(),
        change.event(),
        change.to(),
        asText(change.due()),
        change.retryCounters(),
        change.holdChange(),
        change.giveUpReason(),
        change.attemptDetails(),
        change.cancelAction(),
        change.deliveries(),
        change.counterDelta());
  }

  private DueTime asText(DueTime dueTime) {
    return switch (dueTime) {
      case DueTime.Unchanged unchanged -> unchanged;
      case DueTime.In in -> DueTime.at(localDigits(clock.instant().plus(in.delay())));
      case DueTime.At at -> DueTime.at(localDigits(at.instant()));
    };
  }

  /** Returns the instant that looks in UTC like this one looks in the writer's zone. */
  private Instant localDigits(Instant instant) {
    String text = OffsetDateTime.ofInstant(instant, zone).toString();
    String digits = text.substring(0, text.length() - zone.getId().length());
    return LocalDateTime.parse(digits).toInstant(ZoneOffset.UTC);
  }
}
