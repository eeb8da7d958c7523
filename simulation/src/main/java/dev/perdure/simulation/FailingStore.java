// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.Change;
import java.util.List;

/** The database as one process sees it: at the other end of a wire. */
final class FailingStore implements TaskStore {

  /** A result that the database does not take. */
  static final String UNSTORABLE = "unstorable";

  private final TaskStore inner;
  private final Wire wire;
  private final Ledger ledger;

  FailingStore(TaskStore inner, Wire wire, Ledger ledger) {
    this.inner = inner;
    this.wire = wire;
    this.ledger = ledger;
  }

  @Override
  public Receipt submit(Submission submission) {
    return wire.write("submit", () -> inner.submit(submission));
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    return wire.write(
        "apply",
        () -> {
          changes.forEach(FailingStore::requireStorable);
          return inner.apply(changes);
        });
  }

  private static void requireStorable(Change change) {
    AttemptNote note = change.note();
    if (note != null && note.result() != null && note.result().contains(UNSTORABLE)) {
      throw new StoreException("not storable", null, StoreException.Sort.REFUSED);
    }
  }

  @Override
  public Claimed claim(ClaimRequest request) {
    Claimed claimed = wire.write("claim", () -> inner.claim(request));
    claimed.leases().forEach(lease -> ledger.answered(lease.task().lease()));
    return claimed;
  }

  @Override
  public List<Verdict> signs(List<SignOfLife> signs) {
    return wire.write("signs", () -> inner.signs(signs));
  }

  @Override
  public Figures figures() {
    return new FailingFigures(inner.figures(), wire);
  }

  @Override
  public NodeBook nodes() {
    return new FailingNodes(inner.nodes(), wire);
  }

  @Override
  public Sweeps sweeps() {
    return new FailingSweeps(inner.sweeps(), wire);
  }

  @Override
  public TaskReader reader() {
    return new FailingReader(inner.reader(), wire);
  }

  @Override
  public Outbox outbox() {
    return new FailingOutbox(inner.outbox(), wire);
  }

  @Override
  public Listening listen(Runnable wake) {
    return inner.listen(wake);
  }

  @Override
  public void wake() {
    wire.read(
        "wake",
        () -> {
          inner.wake();
          return true;
        });
  }

  @Override
  public int shards() {
    return inner.shards();
  }

  @Override
  public void close() {
    inner.close();
  }
}
