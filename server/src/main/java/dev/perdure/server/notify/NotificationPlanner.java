// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.server.webhook.StoredActions;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Plans the notifications of a change: at most one for each channel. A notification that cannot be
 * written is logged and skipped, because an exception here would undo the change: the task or the
 * batch would never end.
 */
final class NotificationPlanner implements DeliveryPlanner {

  private static final Logger LOG = LoggerFactory.getLogger(NotificationPlanner.class);

  private final NotificationText texts;

  /**
   * @param hostUrl the base of links; null for no links
   */
  NotificationPlanner(@Nullable URI hostUrl) {
    this.texts = new NotificationText(hostUrl);
  }

  @Override
  public List<DeliveryMessage> plan(Task before, TaskChange change) {
    Optional<NotifyEvent> event = NotifyEvent.of(change);
    String actions = before.definition().actions();
    if (actions == null || event.isEmpty()) {
      return List.of();
    }
    Duration delay = change.attemptDetails() == null ? null : change.attemptDetails().delay();
    return messages(
        "task " + before.id(),
        actions,
        event.get(),
        before.retryCounters().attempt(),
        delay,
        () -> texts.ofTask(before, change, event.get()));
  }

  @Override
  public List<DeliveryMessage> planBatchEnd(
      UUID batch,
      BatchDefinition definition,
      int run,
      BatchOutcome outcome,
      @Nullable RunFailure failure,
      @Nullable TaskGiveUpReason reason) {
    return NotifyEvent.of(outcome, reason)
        .map(
            event ->
                messages(
                    "batch " + batch,
                    definition.actions(),
                    event,
                    run,
                    null,
                    () -> texts.ofBatch(batch, definition, run, event, failure, reason)))
        .orElse(List.of());
  }

  @Override
  public List<DeliveryMessage> planBatchRetry(
      UUID batch,
      BatchDefinition definition,
      int run,
      @Nullable RunFailure failure,
      Duration delay) {
    return messages(
        "batch " + batch,
        definition.actions(),
        NotifyEvent.RETRY,
        run,
        delay,
        () -> texts.ofBatch(batch, definition, run, NotifyEvent.RETRY, failure, null));
  }

  /**
   * @param subject the task or batch, for the log
   */
  private static List<DeliveryMessage> messages(
      String subject,
      @Nullable String actions,
      NotifyEvent event,
      long attempt,
      @Nullable Duration retryIn,
      Supplier<String> text) {
    try {
      return messages(actions, event, attempt, retryIn, text);
    } catch (RuntimeException e) {
      LOG.error(
          "the notification about {} ({}) cannot be written; it is skipped",
          subject,
          event.text(),
          e);
      return List.of();
    }
  }

  private static List<DeliveryMessage> messages(
      @Nullable String actions,
      NotifyEvent event,
      long attempt,
      @Nullable Duration retryIn,
      Supplier<String> text) {
    Set<String> channels = channels(actions, event);
    if (channels.isEmpty()) {
      return List.of();
    }
    String written = text.get();
    return channels.stream()
        .map(
            channel ->
                new NotificationMessage(channel, event, attempt, written, retryIn)
                    .toDeliveryMessage())
        .toList();
  }

  /** The channels that want to know of this event, each once. */
  private static Set<String> channels(@Nullable String actions, NotifyEvent event) {
    Set<String> channels = new LinkedHashSet<>();
    for (JsonNode entry : StoredActions.notifications(actions)) {
      entry
          .get("on")
          .valueStream()
          .filter(on -> on.stringValue().equals(event.text()))
          .forEach(on -> channels.add(entry.get("channel").stringValue()));
    }
    return channels;
  }
}
