// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.NodeRegistry;
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

/** Stands at the database's door and compares what was asked, what was answered and the rows. */
final class InvariantCheckingStore extends ForwardingStore {

  private final World world;
  private final NodeProcess process;

  InvariantCheckingStore(TaskStore inner, World world, NodeProcess process) {
    super(inner);
    this.world = world;
    this.process = process;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    SubmissionReceipt submissionReceipt = inner.submit(submission);
    world.checker.submitted(submission, inner.reader());
    return submissionReceipt;
  }

  /** One after the other; nothing comes between, so it is one transaction all the same. */
  @Override
  public List<WriteResult> apply(List<TaskChange> taskChanges) {
    List<WriteResult> writeResults = new ArrayList<>();
    for (TaskChange taskChange : taskChanges) {
      world.checker.requireUnchanged(taskChange.task(), inner.reader());
      WriteResult writeResult = inner.apply(List.of(taskChange)).getFirst();
      world.checker.applied(taskChange, writeResult, process, inner.reader());
      writeResults.add(writeResult);
    }
    return writeResults;
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    ClaimResult claimResult = inner.claim(request);
    if (!claimResult.leases().isEmpty()) {
      world.nodeChecker.claimed(request.owner().worker());
      claimResult.leases().forEach(lease -> world.checker.claimed(lease, process, inner.reader()));
    }
    return claimResult;
  }

  @Override
  public List<WriteResult> heartbeat(List<Heartbeat> signs) {
    List<WriteResult> writeResults = inner.heartbeat(signs);
    for (int i = 0; i < signs.size(); i++) {
      world.checker.heartbeatRecorded(signs.get(i).key(), writeResults.get(i), inner.reader());
    }
    return writeResults;
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
    public void join(RegisteredNode registeredNode, Duration validity) {
      inner.join(registeredNode, validity);
      world.nodeChecker.joined(registeredNode.id(), validity, process);
    }

    @Override
    public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
      Optional<List<LeaseKey>> held = inner.renew(node, validity);
      world.nodeChecker.renewed(node, validity, held.isPresent());
      return held;
    }

    @Override
    public void leave(UUID node) {
      inner.leave(node);
      world.nodeChecker.left(node);
    }
  }
}
