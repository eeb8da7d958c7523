// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server with schedules. It is 2026-03-01T12:00:00Z. */
abstract class ScheduleFixture {

  static final String TASK = "0195508e-1111-7000-8000-000000000001";
  static final String OTHER_TASK = "0195508e-2222-7000-8000-000000000002";
  static final String BATCH = "0195508e-3333-7000-8000-000000000003";

  ScriptedServer server;

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  TestCli terminal() {
    return server.shell().terminal(80);
  }

  CliResult run(String... args) {
    return server.shell().run(args);
  }

  private static String fields(String name, String description, String more) {
    return """
        "id": "0195508e-0000-7000-8000-000000000000", "name": "%s",
        "trigger": {"cron": "0 8 * * 1-5", "zone": "Europe/Paris"}, "description": "%s",
        "misfire": "fire_once", "version": 3, "created_at": "2026-02-01T07:00:00.000Z",
        "updated_at": "2026-02-28T12:00:00.000Z", %s"""
        .formatted(name, description, more);
  }

  static String nightly(String more) {
    return "{"
        + fields(
            "nightly",
            "every weekday at 08:00 Europe/Paris",
            """
            "enabled": true, "overlap": "skip", "next_at": "2026-03-01T15:00:00.000Z",
            "queued": 0, "last": null, "retry_under_way": []""")
        + more
        + "}";
  }

  static String busy(String more) {
    return "{"
        + fields(
                "book-night-train-seats",
                "every weekday at 08:00 Europe/Paris",
                """
            "enabled": true, "overlap": "queue", "next_at": "2026-03-02T11:10:00.000Z",
            "queued": 2, "last": {"scheduled_for": "2026-03-01T11:00:00.000Z",
            "fired_at": "2026-03-01T11:00:00.000Z", "manual": false, "outcome": "fired",
            "missed": 0, "task": "TASK", "batch_id": "BATCH", "status": "RetryPending"},
            "retry_under_way": [
              {"task": "TASK", "batch_id": "BATCH", "status": "RetryPending", "attempt": 3,
               "badge": "attempt 3/5, step 1/3", "next_retry_at": "2026-03-01T12:04:00.000Z",
               "failure_kind": "explicit", "failure_reason": "all seats of the train are taken",
               "failure_code": "no_slots"},
              {"task": "OTHER", "batch_id": "BATCH", "status": "Running", "attempt": 12,
               "badge": "attempt 2/∞, step 3/3", "next_retry_at": null,
               "failure_kind": "timeout", "failure_reason": null, "failure_code": null}]""")
            .replace("TASK", TASK)
            .replace("OTHER", OTHER_TASK)
            .replace("BATCH", BATCH)
        + more
        + "}";
  }

  /** A batch waits for its next run, and a revived task has no badge. */
  static String waiting() {
    return nightly("")
        .replace(
            "\"retry_under_way\": []",
            """
            "retry_under_way": [
              {"task": null, "batch_id": "BATCH", "kind": null, "status": "RetryPending",
               "attempt": 2, "badge": "run 2", "next_retry_at": "2026-03-01T12:04:00.000Z",
               "failure_kind": null, "failure_reason": null, "failure_code": null},
              {"task": "TASK", "batch_id": "BATCH", "kind": "book", "status": "Pending",
               "attempt": 4, "badge": null, "next_retry_at": null, "failure_kind": "timeout",
               "failure_reason": null, "failure_code": null}]""")
        .replace("TASK", TASK)
        .replace("BATCH", BATCH);
  }

  static String paused() {
    return "{"
        + fields(
            "sync",
            "every 5 minutes",
            """
            "enabled": false, "overlap": "allow", "next_at": null, "queued": 0,
            "last": {"scheduled_for": "2026-03-01T11:00:00.000Z", "fired_at": null,
            "manual": false, "outcome": "skipped", "missed": 0, "task": null, "batch_id": null,
            "status": null}, "retry_under_way": []}""");
  }
}
