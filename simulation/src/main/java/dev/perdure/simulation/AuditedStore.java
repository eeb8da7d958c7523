// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.simulation.bug.ForwardingNodes;
import dev.perdure.simulation.bug.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stands at the database's door and compares what was asked, what was answered and the rows. */
final class AuditedStore extends ForwardingStore {

  private final World world;
  private final NodeProcess process;

  AuditedStore(TaskStore inner, World world, NodeProcess process) {
    super(inner);
    this.world = world;
    this.process = process;
  }

  @Override
  public Receipt submit(Submission submission) {
    Receipt receipt = inner.submit(submission);
    world.ledger.submitted(submission, inner.reader());
    return receipt;
  }

  /** One after the other; nothing comes between, so it is one transaction all the same. */
  @Override
  public List<Verdict> apply(List<Change> changes) {
    List<Verdict> verdicts = new ArrayList<>();
    for (Change change : changes) {
      world.ledger.unchanged(change.task(), inner.reader());
      Verdict verdict = inner.apply(List.of(change)).getFirst();
      world.ledger.applied(change, verdict, process, inner.reader());
      verdicts.add(verdict);
    }
    return verdicts;
  }

  @Override
  public Claimed claim(ClaimRequest request) {
    Claimed claimed = inner.claim(request);
    if (!claimed.leases().isEmpty()) {
      world.nodeRows.claims(request.holder().worker());
      claimed.leases().forEach(lease -> world.ledger.claimed(lease, process, inner.reader()));
    }
    return claimed;
  }

  @Override
  public List<Verdict> signs(List<SignOfLife> signs) {
    List<Verdict> verdicts = inner.signs(signs);
    for (int i = 0; i < signs.size(); i++) {
      world.ledger.heard(signs.get(i).key(), verdicts.get(i), inner.reader());
    }
    return verdicts;
  }

  @Override
  public NodeBook nodes() {
    return new Nodes(inner.nodes());
  }

  private final class Nodes extends ForwardingNodes {

    Nodes(NodeBook inner) {
      super(inner);
    }

    @Override
    public void join(Node node, Duration validity) {
      inner.join(node, validity);
      world.nodeRows.joined(node.id(), validity, process);
    }

    @Override
    public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
      Optional<List<LeaseKey>> held = inner.renew(node, validity);
      world.nodeRows.renewed(node, validity, held.isPresent());
      return held;
    }

    @Override
    public void leave(UUID node) {
      inner.leave(node);
      world.nodeRows.left(node);
    }
  }
}
