// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.simulation.bug.ForwardingNodeRegistry;
import dev.perdure.simulation.bug.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Checks the requests to the database against its responses and its rows. */
final class InvariantCheckingStore extends ForwardingStore {

  private static final int MAX_PROPAGATED = 5;

  private final World world;
  private final NodeProcess process;

  InvariantCheckingStore(TaskStore inner, World world, NodeProcess process) {
    super(inner);
    this.world = world;
    this.process = process;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    SubmissionReceipt receipt = inner.submit(submission);
    if (receipt.status() == SubmissionReceipt.SubmissionStatus.STORED) {
      world.checker.submitted(submission, receipt, inner.reader());
    }
    return receipt;
  }

  /** Applies changes one by one. No other fiber runs in between, so this is one transaction. */
  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    List<WriteResult> results = new ArrayList<>();
    for (TaskChange change : changes) {
      world.checker.requireUnchanged(change.task(), inner.reader());
      WriteResult result = inner.apply(List.of(change)).getFirst();
      world.checker.applied(change, result, process, inner.reader());
      results.add(result);
    }
    return results;
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    ClaimResult result = inner.claim(request);
    if (!result.leases().isEmpty()) {
      world.nodeChecker.claimed(request.owner().worker());
      result.leases().forEach(lease -> world.checker.claimed(lease, process, inner.reader()));
    }
    world.kindLimits.claimed(result.leases());
    world.limits.claimed(result.leases());
    return result;
  }

  @Override
  public List<WriteResult> heartbeat(List<Heartbeat> heartbeats) {
    List<WriteResult> results = inner.heartbeat(heartbeats);
    for (int i = 0; i < heartbeats.size(); i++) {
      Heartbeat heartbeat = heartbeats.get(i);
      world.checker.heartbeatRecorded(heartbeat.key(), results.get(i), inner.reader());
      if (results.get(i).applied() && heartbeat.success() != null) {
        world.limits.reported(inner.reader().find(heartbeat.key().task()).orElseThrow());
      }
    }
    return results;
  }

  @Override
  public BatchStore batches() {
    return new CheckedBatchStore(inner.batches(), world, process);
  }

  @Override
  public LimitStore limits() {
    return new CheckedLimitStore(inner.limits(), world, process);
  }

  @Override
  public ScheduleStore schedules() {
    return new CheckedScheduleStore(inner.schedules(), world, process);
  }

  @Override
  public DependencyStore dependencies() {
    DependencyStore dependencies = inner.dependencies();
    return limit -> {
      // Few, so that most propagations end in the middle of the dependencies on a task.
      int few = Math.min(limit, world.random.between(1, MAX_PROPAGATED));
      DependencyStore.Propagation done = dependencies.propagate(few);
      world.graphs.propagated(done, inner, process);
      return done;
    };
  }

  @Override
  public NodeRegistry nodes() {
    return new CheckedNodeRegistry(inner.nodes());
  }

  private final class CheckedNodeRegistry extends ForwardingNodeRegistry {

    CheckedNodeRegistry(NodeRegistry inner) {
      super(inner);
    }

    @Override
    public void join(RegisteredNode node, Duration validity) {
      inner.join(node, validity);
      world.nodeChecker.joined(node.id(), validity, process);
    }

    @Override
    public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
      Optional<List<LeaseKey>> leases = inner.renew(node, validity);
      world.nodeChecker.renewed(node, validity, leases.isPresent());
      return leases;
    }

    @Override
    public void leave(UUID node) {
      inner.leave(node);
      world.nodeChecker.left(node);
    }
  }
}
