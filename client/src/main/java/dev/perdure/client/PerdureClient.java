// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client of one Perdure server. Thread-safe: create one and share it.
 *
 * <pre>{@code
 * try (PerdureClient client = PerdureClient.builder(url).apiKey(key).build()) {
 *   client.submit(TaskRequest.of("send-email", email).retry(RetryPolicy.queue()));
 * }
 * }</pre>
 *
 * <p>Every method throws {@link ApiException} when the server refuses the request, and {@link
 * TransportException} when it does not respond. Requests are sent once. Only a submission is
 * repeated, because its idempotency key makes that safe.
 */
public final class PerdureClient implements AutoCloseable {

  private final HttpTransport transport;
  private final Supplier<String> idempotencyKeys;

  PerdureClient(HttpTransport transport, Supplier<String> idempotencyKeys) {
    this.transport = transport;
    this.idempotencyKeys = idempotencyKeys;
  }

  /**
   * A builder for a client.
   *
   * @param url the server, such as {@code http://127.0.0.1:8085}
   */
  public static PerdureClientBuilder builder(URI url) {
    return new PerdureClientBuilder(url);
  }

  // Submitting

  /** Submits tasks under a new idempotency key: all of them or none. */
  public SubmitResponse submit(TaskRequest... tasks) {
    return submit(idempotencyKeys.get(), List.of(tasks));
  }

  /**
   * Submits tasks: all of them or none. When the response is lost or the server is busy, the client
   * sends the submission once more.
   *
   * @param idempotencyKey names this submission; the server accepts it once, however often it is
   *     sent within a day
   */
  public SubmitResponse submit(String idempotencyKey, List<TaskRequest> tasks) {
    return SubmitResponse.of(submitJson(idempotencyKey, TaskRequest.toJson(tasks).toString()));
  }

  /** Submits a batch under a new idempotency key. */
  public SubmitResponse submit(BatchRequest batch) {
    return submit(idempotencyKeys.get(), batch);
  }

  /** Submits a batch; see {@link #submit(String, List)}. */
  public SubmitResponse submit(String idempotencyKey, BatchRequest batch) {
    return SubmitResponse.of(submitJson(idempotencyKey, batch.toJson().toString()));
  }

  /** Submits a body of {@code POST /task} as it is: a task, an array, or a batch. */
  public ApiResponse submitJson(String idempotencyKey, String body) {
    return new Submitter(transport).submit(idempotencyKey, body);
  }

  // Tasks

  /** The task with its payload, result and attempts. */
  public TaskInfo get(UUID task) {
    return get("/task/" + task, Map.of()).read(TaskInfo::of);
  }

  /** One attempt with its stack trace, which {@link #get} leaves out. */
  public AttemptInfo attempt(UUID task, long epoch) {
    return get("/task/" + task + "/attempt/" + epoch, Map.of()).read(AttemptInfo::of);
  }

  /** Like {@link #get}, but empty when there is no such task. */
  public Optional<TaskInfo> find(UUID task) {
    return find(() -> get(task));
  }

  static <T> Optional<T> find(Supplier<T> request) {
    try {
      return Optional.of(request.get());
    } catch (ApiException e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** One page of tasks. */
  public Page<TaskInfo> list(TaskSearch search) {
    return get("/task", search.parameters()).page(TaskInfo::of);
  }

  /** All tasks that match. Fetches the first page at once, and others as the stream is read. */
  public Stream<TaskInfo> stream(TaskSearch search) {
    return Stream.iterate(
            Optional.of(list(search)),
            Optional::isPresent,
            page -> page.flatMap(read -> nextPage(search, read)))
        .flatMap(page -> page.orElseThrow().items().stream());
  }

  /** Empty after the last page, and when the server repeats a cursor: that would never end. */
  private Optional<Page<TaskInfo>> nextPage(TaskSearch search, Page<TaskInfo> page) {
    String cursor = page.next();
    if (cursor == null) {
      return Optional.empty();
    }
    Page<TaskInfo> next = list(search.after(cursor));
    return Optional.of(cursor.equals(next.next()) ? next.withoutNext() : next);
  }

  /** Ends the task for good, even while it runs. Repeating it is safe. */
  public TaskInfo cancel(UUID task) {
    return change("DELETE", "/task/" + task, null, TaskInfo::of);
  }

  /** Keeps the task from starting until {@link #resume}. Repeating it is safe. */
  public TaskInfo pause(UUID task) {
    return change("PATCH", "/task/pause/" + task, null, TaskInfo::of);
  }

  public TaskInfo resume(UUID task) {
    return change("PATCH", "/task/resume/" + task, null, TaskInfo::of);
  }

  /**
   * Makes a task that is not claimed yet due now, such as a waiting retry, or runs a failed or
   * canceled task again.
   */
  public TaskInfo retry(UUID task) {
    return change("POST", "/task/%s/retry".formatted(task), null, TaskInfo::of);
  }

  /** Runs a failed or canceled task again, although a task that it depends on has failed. */
  public TaskInfo retryIgnoringDependencies(UUID task) {
    ObjectNode body = object().put("ignore_dependencies", true);
    return change("POST", "/task/%s/retry".formatted(task), body, TaskInfo::of);
  }

  /**
   * Marks a failed task as succeeded, so that the tasks that depend on it go on.
   *
   * @param reason for the audit log
   * @param result any object that Jackson can write, or null
   */
  public TaskInfo resolve(UUID task, String reason, @Nullable Object result) {
    ObjectNode body = withResult(object().put("reason", reason), result);
    return change("POST", "/task/%s/resolve".formatted(task), body, TaskInfo::of);
  }

  private static ObjectNode withResult(ObjectNode body, @Nullable Object result) {
    if (result != null) {
      body.set("result", JsonMapper.shared().<JsonNode>valueToTree(result));
    }
    return body;
  }

  /** Moves a task that is not claimed yet, such as a waiting retry, to this instant. */
  public TaskInfo reschedule(UUID task, Instant instant) {
    ObjectNode body = object().put("at", instant.toString());
    return change("POST", "/task/%s/retry".formatted(task), body, TaskInfo::of);
  }

  private <T> T change(
      String method, String path, @Nullable JsonNode body, Function<JsonNode, T> reader) {
    return send(method, path, body).requireResult().read(reader);
  }

  /**
   * Changes up to 10,000 tasks that match a filter.
   *
   * @param filter at least one filter; its order and paging are ignored
   * @param after {@link BulkResult#next} of the request before; null for the first
   */
  public BulkResult bulk(BulkOperation operation, TaskSearch filter, @Nullable String after) {
    return bulk(BulkRequest.of(operation, filter).after(after));
  }

  /** Counts what {@link #bulk} would change. */
  public BulkResult bulkDryRun(BulkOperation operation, TaskSearch filter, @Nullable String after) {
    return bulk(BulkRequest.of(operation, filter).after(after).dryRun(true));
  }

  /** Changes up to 10,000 tasks, or counts them; retries can be spread over time. */
  public BulkResult bulk(BulkRequest request) {
    return send("POST", "/task/bulk", request.json()).read(BulkResult::of);
  }

  /** Reads and changes whole batches. */
  public BatchClient batches() {
    return new BatchClient(this);
  }

  /** Reads and changes schedules. */
  public ScheduleClient schedules() {
    return new ScheduleClient(this);
  }

  // Workers

  /**
   * Claims tasks for a remote worker, and waits for one when none is due. If the response is lost,
   * the claimed tasks run again when their leases are over.
   */
  public List<ClaimedTask> claim(ClaimOptions options) {
    ObjectNode body =
        object()
            .put("worker", options.worker())
            .put("limit", options.limit())
            .put("lease", DurationText.format(options.lease()))
            .put("wait", DurationText.format(options.maxWait()));
    options.kinds().forEach(body.putArray("kinds")::add);
    return transport
        .exchange("POST", "/task/claim", body.toString(), null, options.maxWait())
        .page(ClaimedTask::of)
        .items();
  }

  /**
   * Extends the lease of a claimed task. A conflict means that the task is no longer this worker's.
   * A callback has no lease: use {@link #reportProgress} to show that its work goes on.
   *
   * @return when the lease is over now
   */
  public Instant heartbeat(AttemptRef attempt, Duration lease) {
    if (!attempt.isLease()) {
      throw new IllegalArgumentException("a callback has no lease: use reportProgress");
    }
    ObjectNode body = attempt.body().put("lease", DurationText.format(lease));
    return send("POST", "/task/%s/heartbeat".formatted(attempt.task()), body)
        .read(json -> Instant.parse(json.path("lease_until").asString("")));
  }

  /** Adds to the task's counters, which also counts as a heartbeat. Repeating it counts twice. */
  public void reportProgress(AttemptRef attempt, long newSuccess, long newFailures) {
    ObjectNode body =
        attempt.body().put("new_success", newSuccess).put("new_failures", newFailures);
    send("PUT", attempt.path(), body).read(json -> JsonFields.requiredText(json, "id"));
  }

  /**
   * Ends the attempt and the task with success. Repeating it is safe.
   *
   * @param result any object that Jackson can write, or null
   */
  public AttemptResult succeed(AttemptRef attempt, @Nullable Object result) {
    ObjectNode body = withResult(attempt.body().put("status", "Success"), result);
    return change("PATCH", attempt.path(), body, AttemptResult::of);
  }

  /** Ends the attempt with an exception; see {@link #fail(AttemptRef, Failure)}. */
  public AttemptResult fail(AttemptRef attempt, Throwable thrown) {
    return change("PATCH", attempt.path(), attempt.failureBody(thrown), AttemptResult::of);
  }

  /**
   * Ends the attempt with a failure; the task's policy decides whether there is a retry. Repeating
   * it is safe.
   *
   * @param failure its kind is not sent: the server records every reported failure as explicit
   */
  public AttemptResult fail(AttemptRef attempt, Failure failure) {
    return change("PATCH", attempt.path(), attempt.failureBody(failure), AttemptResult::of);
  }

  public OverviewInfo overview() {
    return get("/overview", Map.of()).read(OverviewInfo::of);
  }

  /** The retries that wait, the next one first. */
  public Page<WaitingRetry> waitingRetries(RetrySearch search) {
    return get("/retry", search.parameters()).page(WaitingRetry::of);
  }

  public RetryStats retryStats() {
    return get("/retry/stats", Map.of()).read(RetryStats::of);
  }

  public Page<LimitInfo> limits(LimitSearch search) {
    return get("/limit", search.parameters()).page(LimitInfo::of);
  }

  public KindLimitClient kindLimits() {
    return new KindLimitClient(this);
  }

  public ChannelClient channels() {
    return new ChannelClient(this);
  }

  public Page<DeliveryInfo> deliveries(DeliverySearch search) {
    return get("/delivery", search.parameters()).page(DeliveryInfo::of);
  }

  /** Sends a delivery again that was sent or given up. */
  public DeliveryInfo redeliver(UUID delivery) {
    return change("POST", "/delivery/%s/redeliver".formatted(delivery), null, DeliveryInfo::of);
  }

  public Page<AuditInfo> auditEntries(AuditSearch search) {
    return get("/audit", search.parameters()).page(AuditInfo::of);
  }

  public ClusterInfo cluster() {
    return get("/node", Map.of()).read(ClusterInfo::of);
  }

  /** Whether the server can be reached, and can read and write its database. */
  public boolean isReady() {
    try {
      get("/ready", Map.of()).read(json -> JsonFields.requiredText(json, "status"));
      return true;
    } catch (ApiException e) {
      if (e.status() == ApiException.UNAVAILABLE) {
        return false;
      }
      throw e;
    } catch (TransportException e) {
      return switch (e.reason()) {
        case UNKNOWN_HOST, NOT_CONNECTED, TIMEOUT, CONNECTION_LOST -> false;
        case INTERRUPTED, UNEXPECTED_RESPONSE, RESULT_UNAVAILABLE -> throw e;
      };
    }
  }

  // Everything else

  /**
   * Sends a GET request, for routes without a method of their own.
   *
   * @param query parameters; those with a null value are left out
   */
  public ApiResponse get(String path, Map<String, ? extends @Nullable String> query) {
    String parameters =
        query.entrySet().stream()
            .filter(entry -> entry.getValue() != null)
            .map(entry -> entry.getKey() + "=" + encode(String.valueOf(entry.getValue())))
            .collect(Collectors.joining("&"));
    String target = parameters.isEmpty() ? path : path + "?" + parameters;
    return transport.exchange("GET", target, null, null, Duration.ZERO);
  }

  /**
   * Sends any other request.
   *
   * @param body null for none
   */
  public ApiResponse send(String method, String path, @Nullable JsonNode body) {
    String text = body == null ? null : body.toString();
    return transport.exchange(method, path, text, null, Duration.ZERO);
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Aborts running requests. Later ones throw IllegalStateException. */
  @Override
  public void close() {
    transport.close();
  }
}
