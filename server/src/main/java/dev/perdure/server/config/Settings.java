// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.engine.task.Limit;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.event.Level;

/** The server's settings, except those of webhooks and of tracing. */
public final class Settings {

  private static final int MILLION = 1_000_000;

  public static final Setting<Integer> PORT =
      Setting.of(
          "port",
          "8085",
          SettingParsers.integer(0, 65_535),
          "The port to listen on; 0 means any free port.");

  public static final Setting<String> BIND =
      Setting.of(
          "bind",
          "127.0.0.1",
          SettingParsers.text(255),
          "The address to listen on. Addresses other than loopback require API keys or `insecure`.");

  public static final Setting<Optional<URI>> HOST_URL =
      Setting.of(
          "host_url",
          "",
          SettingParsers::hostUrl,
          "The URL that clients use, such as `https://tasks.example.org`. A path, as in"
              + " `https://example.org/jobs`, is one that a proxy removes from every request. By"
              + " default the address listened on, or the host name if the server listens on all"
              + " addresses.");

  public static final Setting<Boolean> INSECURE =
      Setting.of(
          "insecure",
          "false",
          SettingParsers::bool,
          "Listen on addresses other than loopback without API keys. Everyone who reaches the port"
              + " can do everything.");

  public static final Setting<String> DATABASE_URL =
      Setting.of(
              "database_url",
              "sqlite:perdure.db",
              SettingParsers.text(2_000),
              "The database: `sqlite:<file>`,"
                  + " `postgres://<user>:<password>@<host>:<port>/<database>`, or a JDBC URL of one"
                  + " of the two.")
          .redactedBy(SettingParsers::withoutPassword);

  public static final Setting<String> INSTANCE_ID =
      Setting.of(
          "instance_id",
          "",
          SettingParsers.text(200),
          "The name of this node, for people. By default the host name and a random suffix.");

  public static final Setting<Integer> RETRY_MAX_RETRIES_LIMIT =
      Setting.of(
          "retry_max_retries_limit",
          "10",
          SettingParsers.integer(0, 1_000),
          "Maximum `max_retries` of a policy in the task dialect.");

  public static final Setting<Duration> RETRY_MAX_DELAY_LIMIT =
      Setting.of(
          "retry_max_delay_limit",
          "3600",
          SettingParsers::seconds,
          "Maximum delay of a policy in the task dialect, in seconds or with a unit.");

  public static final Setting<Duration> RETRY_MAX_SCHEDULE_DELAY_LIMIT =
      Setting.of(
          "retry_max_schedule_delay_limit",
          "90d",
          SettingParsers::duration,
          "Maximum delay of a policy in every other form.");

  public static final Setting<Integer> RETRY_LOOP_INTERVAL_MS =
      Setting.of(
          "retry_loop_interval_ms",
          "1000",
          SettingParsers.integer(1, 3_600_000),
          "How often to poll the database for due tasks, in milliseconds. Wake-ups usually come first.");

  public static final Setting<Optional<Integer>> WORKER_LOOP_INTERVAL_MS =
      Setting.of(
          "worker_loop_interval_ms",
          "",
          SettingParsers.optional(SettingParsers.integer(1, 3_600_000)),
          "The same for tasks that were never attempted. One query finds both, so the shorter of the"
              + " two intervals applies.");

  public static final Setting<Integer> WORKER_CLAIM_TIMEOUT_SECS =
      Setting.of(
          "worker_claim_timeout_secs",
          "25",
          SettingParsers.integer(5, 3_600),
          "How long a node without a heartbeat keeps its tasks, in seconds. Set it to the same value"
              + " on all nodes. A node that cannot renew its row for 3/5 of this time stops its own"
              + " work. A node declares others dead, and silent attempts timed out, only after it"
              + " has renewed its own row for 2/5 of this time, 10 s at most.");

  public static final Setting<Integer> PAGINATION_DEFAULT =
      Setting.of(
          "pagination_default",
          "50",
          SettingParsers.integer(1, 1_000),
          "Default number of tasks on a page of a list.");

  public static final Setting<Integer> PAGINATION_MAX =
      Setting.of(
          "pagination_max",
          "1000",
          SettingParsers.integer(1, 1_000),
          "Maximum number of tasks on a page.");

  public static final Setting<Boolean> RETENTION_ENABLED =
      Setting.of(
          "retention_enabled",
          "false",
          SettingParsers::bool,
          "Delete batches `retention_days` after all their tasks have ended.");

  public static final Setting<Integer> RETENTION_DAYS =
      Setting.of(
          "retention_days",
          "30",
          SettingParsers.integer(1, 36_500),
          "How long ended batches are kept, if `retention_enabled` is set.");

  public static final Setting<Boolean> DEAD_END_CANCEL_ENABLED =
      Setting.of(
          "dead_end_cancel_enabled",
          "false",
          SettingParsers::bool,
          "Cancel a task that has not ended when all tasks that depend on it have. A submission can"
              + " say otherwise with `dead_end_cancel`.");

  public static final Setting<Map<String, List<Limit>>> LIMITS =
      Setting.of(
          "limits",
          Setting.EMPTY_OBJECT,
          KindLimitsParser::parse,
          "Limits on all tasks of a kind, for each kind `max_concurrency`, `rate` or both, and"
              + " `fields`. JSON, or nested values in the file. Set them to the same on all nodes. A"
              + " limit that an operator sets counts instead.");

  public static final Setting<Integer> MAX_BODY_BYTES =
      Setting.of(
          "max_body_bytes",
          "2097152",
          SettingParsers.integer(1_024, 1_000_000_000),
          "Maximum size of a request body.");

  public static final Setting<Integer> MAX_TASKS_PER_REQUEST =
      Setting.of(
          "max_tasks_per_request",
          "10000",
          SettingParsers.integer(1, MILLION),
          "Maximum number of tasks in one request.");

  public static final Setting<Integer> MAX_CONNECTIONS =
      Setting.of(
          "max_connections",
          "1000",
          SettingParsers.integer(1, MILLION),
          "Maximum number of connections; further ones wait to be accepted.");

  public static final Setting<Integer> MAX_CONCURRENT_REQUESTS =
      Setting.of(
          "max_concurrent_requests",
          "256",
          SettingParsers.integer(1, MILLION),
          "Maximum number of requests at once; further ones get a 503.");

  public static final Setting<Integer> MAX_EVENT_STREAMS =
      Setting.of(
          "max_event_streams",
          "100",
          SettingParsers.integer(1, 10_000),
          "Maximum number of clients of `/events`, at most half of `max_connections`; further ones"
              + " get a 503.");

  public static final Setting<Duration> READ_TIMEOUT =
      Setting.of(
          "read_timeout",
          "10s",
          SettingParsers::duration,
          "How long a request may take to arrive, from its first byte to its last.");

  public static final Setting<Duration> SHUTDOWN_TIMEOUT =
      Setting.of(
          "shutdown_timeout",
          "10s",
          SettingParsers::duration,
          "How long running requests and attempts may take to end when the server stops.");

  public static final Setting<Integer> AUDIT_MAX_ENTRIES =
      Setting.of(
          "audit_max_entries",
          "100000",
          SettingParsers.integer(1, 100 * MILLION),
          "Maximum number of audit entries; the oldest are deleted first.");

  public static final Setting<LogFormat> LOG_FORMAT =
      Setting.of(
          "log_format",
          "text",
          LogFormat::parse,
          "Format of the log on standard error: `text` for people, or `json` with one object per"
              + " line.");

  public static final Setting<Level> LOG_LEVEL =
      Setting.of(
          "log_level",
          "info",
          LogLevelParser::parse,
          "Lowest level that is logged: `error`, `warn`, `info` or `debug`.");

  /** All settings of this class, in the order in which they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(
          PORT,
          BIND,
          HOST_URL,
          INSECURE,
          DATABASE_URL,
          INSTANCE_ID,
          RETRY_MAX_RETRIES_LIMIT,
          RETRY_MAX_DELAY_LIMIT,
          RETRY_MAX_SCHEDULE_DELAY_LIMIT,
          RETRY_LOOP_INTERVAL_MS,
          WORKER_LOOP_INTERVAL_MS,
          WORKER_CLAIM_TIMEOUT_SECS,
          PAGINATION_DEFAULT,
          PAGINATION_MAX,
          RETENTION_ENABLED,
          RETENTION_DAYS,
          DEAD_END_CANCEL_ENABLED,
          LIMITS,
          MAX_BODY_BYTES,
          MAX_TASKS_PER_REQUEST,
          MAX_CONNECTIONS,
          MAX_CONCURRENT_REQUESTS,
          MAX_EVENT_STREAMS,
          READ_TIMEOUT,
          SHUTDOWN_TIMEOUT,
          AUDIT_MAX_ENTRIES,
          LOG_FORMAT,
          LOG_LEVEL);

  private Settings() {}
}
