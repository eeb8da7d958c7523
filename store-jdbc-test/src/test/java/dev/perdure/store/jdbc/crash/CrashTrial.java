// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs worker and submitter processes on one store, kills them, and checks what is left. */
final class CrashTrial implements AutoCloseable {

  private static final long SEED = Long.getLong("perdure.crash.seed", System.nanoTime());
  private static final Duration LENGTH =
      Duration.ofSeconds(Integer.getInteger("perdure.crash.seconds", 5));
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int MAX_VIOLATIONS_SHOWN = 20;

  private final String name;
  private final Path folder;
  private final String url;
  private final NodeLeaseOptions leases;
  private final Duration longestJob;
  private final Random random = new Random(SEED);
  private final List<ChildProcess> workers = new ArrayList<>();
  private final List<ChildProcess> submitters = new ArrayList<>();
  private final Set<UUID> acknowledgedHere = new HashSet<>();
  private final Thread atExit = new Thread(this::killAll);
  private long start;
  private int kills;

  CrashTrial(String name, Path folder, String url, NodeLeaseOptions leases, Duration longestJob) {
    this.name = name;
    this.folder = folder;
    this.url = url;
    this.leases = leases;
    this.longestJob = longestJob;
    Runtime.getRuntime().addShutdownHook(atExit);
    System.out.println("crash test " + name + ": -Dperdure.crash.seed=" + SEED);
  }

  Random random() {
    return random;
  }

  /** Starts the period in which processes are killed, once there is work to disturb. */
  void start(List<ChildProcess> ready) throws IOException {
    start = System.nanoTime();
    ready.forEach(ChildProcess::awaitReady);
    while (acknowledged().isEmpty()) {
      assertThat(System.nanoTime() - start).as("wait for a task").isLessThan(LIMIT.toNanos());
      LockSupport.parkNanos(PAUSE);
    }
    start = System.nanoTime();
  }

  /** Returns true until the period in which processes are killed is over. */
  boolean isRunning() {
    return System.nanoTime() - start < LENGTH.toNanos();
  }

  ChildProcess startWorker() throws IOException {
    return startWorker(WorkerProcess.SLOTS);
  }

  ChildProcess startWorker(int slots) throws IOException {
    String run = "worker" + workers.size();
    ChildProcess worker =
        ChildProcess.start(
            WorkerProcess.class,
            folder,
            run,
            url,
            log(run).toString(),
            WorkerProcess.text(leases),
            run,
            "" + slots);
    workers.add(worker);
    return worker;
  }

  ChildProcess startSubmitter() throws IOException {
    String run = "submitter" + submitters.size();
    String seed = "" + random.nextLong();
    String longest = "" + longestJob.toMillis();
    ChildProcess submitter =
        ChildProcess.start(SubmitterProcess.class, folder, run, url, seed, longest);
    submitters.add(submitter);
    return submitter;
  }

  /** Adds tasks that were submitted without a submitter process. */
  void acknowledge(List<UUID> ids) {
    acknowledgedHere.addAll(ids);
  }

  void kill(ChildProcess process) throws InterruptedException {
    process.kill();
    kills++;
  }

  void kill(RestartablePostgres server) throws InterruptedException {
    server.kill();
    kills++;
  }

  /** Sleeps for a random time, at most this long. */
  void sleepUpTo(Duration limit) {
    LockSupport.parkNanos(random.nextLong(limit.toNanos()));
  }

  /**
   * Stops the submitter, lets the workers run until every task has ended, stops them too, and
   * compares the acknowledged tasks with what the store and the handlers recorded.
   */
  void finishAndCheck(ChildProcess submitter, List<ChildProcess> alive)
      throws IOException, InterruptedException {
    submitter.stop();
    History history = finish(alive);
    check(history);
    assertThat(history.dependencies()).as("dependencies of %s", summary(history)).isNotEmpty();
  }

  /** Lets the workers run until every task has ended, and stops them. */
  History finish(List<ChildProcess> alive) throws IOException, InterruptedException {
    try (JdbcStore store = JdbcStore.open(url)) {
      awaitAllEnded(store.reader());
      for (ChildProcess worker : alive) {
        worker.stop();
      }
      List<History.StoredHistory> stored = History.read(store.reader());
      return new History(
          acknowledged(),
          stored,
          runs(),
          executions(),
          History.dependencies(store.batches(), stored));
    }
  }

  /** Compares the acknowledged tasks with what the store and the handlers recorded. */
  void check(History history) {
    String summary = summary(history);
    System.out.println(summary);
    List<String> violations = HistoryChecker.violations(history);
    assertThat(violations.subList(0, Math.min(MAX_VIOLATIONS_SHOWN, violations.size())))
        .as("%s: %d violations", summary, violations.size())
        .isEmpty();
    assertThat(kills).as("kills of %s", summary).isPositive();
    assertThat(history.acknowledged()).as("acknowledged tasks of %s", summary).isNotEmpty();
  }

  /** Returns without an error on a timeout. The missing ends are then found in the history. */
  private static void awaitAllEnded(TaskReader reader) {
    TaskFilter live =
        TaskFilter.in(
            TaskState.WAITING,
            TaskState.PENDING,
            TaskState.CLAIMED,
            TaskState.RUNNING,
            TaskState.RETRY_PENDING);
    long start = System.nanoTime();
    while (reader.count(live, 1) > 0 && System.nanoTime() - start < LIMIT.toNanos()) {
      LockSupport.parkNanos(PAUSE);
    }
  }

  /** Returns what the workers said about limits that had a wrong number of tasks in use. */
  List<String> corrections() throws IOException {
    List<String> corrections = new ArrayList<>();
    for (ChildProcess worker : workers) {
      corrections.addAll(worker.errors(WorkerProcess.CORRECTED));
    }
    return corrections;
  }

  private Path log(String run) {
    return folder.resolve(run + ".log");
  }

  private Set<UUID> acknowledged() throws IOException {
    Set<UUID> ids = new HashSet<>(acknowledgedHere);
    for (ChildProcess submitter : submitters) {
      ExecutionLog.wholeLines(ChildProcess.output(folder, submitter.name()))
          .forEach(line -> ids.add(UUID.fromString(line)));
    }
    return ids;
  }

  private List<WorkerRun> runs() {
    return workers.stream().map(ChildProcess::run).toList();
  }

  List<Execution> executions() throws IOException {
    List<Execution> all = new ArrayList<>();
    for (WorkerRun run : runs()) {
      all.addAll(ExecutionLog.read(log(run.name()), run));
    }
    return all;
  }

  private String summary(History history) {
    return ("%s: seed %d, %d s, %d kills, %d tasks (%d acknowledged), %d dependencies,"
            + " %d executions, %d losses, %d handed back")
        .formatted(
            name,
            SEED,
            Duration.ofNanos(System.nanoTime() - start).toSeconds(),
            kills,
            history.stored().size(),
            history.acknowledged().size(),
            history.dependencies().size(),
            history.executions().size(),
            history.countAttempts(AttemptOutcome.LOST),
            history.countAttempts(AttemptOutcome.HANDED_BACK));
  }

  private void killAll() {
    workers.forEach(ChildProcess::close);
    submitters.forEach(ChildProcess::close);
  }

  @Override
  public void close() {
    killAll();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
