// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Stores the text that the writer's machine makes of an instant. As text, 14:00:00+02:00 comes
 * after 12:30:00Z: what is compared are the figures, not the instants.
 */
final class InstantsAsText extends ForwardingStore {

  private final Surroundings around;

  InstantsAsText(TaskStore inner, Surroundings around) {
    super(inner);
    this.around = around;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    return inner.submit(
        new Submission(
            submission.batch(),
            submission.tasks().stream()
                .map(
                    row ->
                        new Submission.NewTaskRow(
                            row.id(), row.definition(), asText(row.due()), row.importedHistory()))
                .toList(),
            submission.key()));
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> taskChanges) {
    return inner.apply(taskChanges.stream().map(this::asText).toList());
  }

  private TaskChange asText(TaskChange taskChange) {
    return new TaskChange(
        taskChange.task(),
        taskChange.guard(),
        taskChange.event(),
        taskChange.to(),
        asText(taskChange.due()),
        taskChange.retryCounters(),
        taskChange.holdChange(),
        taskChange.giveUpReason(),
        taskChange.attemptDetails(),
        taskChange.cancelAction(),
        taskChange.deliveries(),
        taskChange.counterDelta());
  }

  private Due asText(Due due) {
    return switch (due) {
      case Due.Unchanged unchanged -> unchanged;
      case Due.In in -> Due.at(localDigits(around.now().plus(in.delay())));
      case Due.At at -> Due.at(localDigits(at.instant()));
    };
  }

  /** The instant that has, in UTC, the figures that this one has on the writer's machine. */
  private Instant localDigits(Instant instant) {
    String text = OffsetDateTime.ofInstant(instant, around.zone()).toString();
    String figures = text.substring(0, text.length() - around.zone().getId().length());
    return LocalDateTime.parse(figures).toInstant(ZoneOffset.UTC);
  }
}
