// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Due;
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
  public Receipt submit(Submission submission) {
    return inner.submit(
        new Submission(
            submission.batch(),
            submission.tasks().stream()
                .map(
                    row ->
                        new Submission.NewRow(
                            row.id(), row.definition(), asText(row.due()), row.past()))
                .toList(),
            submission.key()));
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    return inner.apply(changes.stream().map(this::asText).toList());
  }

  private Change asText(Change change) {
    return new Change(
        change.task(),
        change.guard(),
        change.event(),
        change.to(),
        asText(change.due()),
        change.counting(),
        change.holding(),
        change.reason(),
        change.note(),
        change.cancelAction(),
        change.deliveries(),
        change.tally());
  }

  private Due asText(Due due) {
    return switch (due) {
      case Due.Unchanged unchanged -> unchanged;
      case Due.In in -> Due.at(figures(around.now().plus(in.delay())));
      case Due.At at -> Due.at(figures(at.instant()));
    };
  }

  /** The instant that has, in UTC, the figures that this one has on the writer's machine. */
  private Instant figures(Instant instant) {
    String text = OffsetDateTime.ofInstant(instant, around.zone()).toString();
    String figures = text.substring(0, text.length() - around.zone().getId().length());
    return LocalDateTime.parse(figures).toInstant(ZoneOffset.UTC);
  }
}
