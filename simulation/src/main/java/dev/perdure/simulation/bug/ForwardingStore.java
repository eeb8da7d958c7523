// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import java.util.List;

/** Passes everything on; what differs is overridden. */
public class ForwardingStore implements TaskStore {

  protected final TaskStore inner;

  protected ForwardingStore(TaskStore inner) {
    this.inner = inner;
  }

  @Override
  public Receipt submit(Submission submission) {
    return inner.submit(submission);
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    return inner.apply(changes);
  }

  @Override
  public Claimed claim(ClaimRequest request) {
    return inner.claim(request);
  }

  @Override
  public List<Verdict> signs(List<SignOfLife> signs) {
    return inner.signs(signs);
  }

  @Override
  public Figures figures() {
    return inner.figures();
  }

  @Override
  public NodeBook nodes() {
    return inner.nodes();
  }

  @Override
  public Sweeps sweeps() {
    return inner.sweeps();
  }

  @Override
  public TaskReader reader() {
    return inner.reader();
  }

  @Override
  public Outbox outbox() {
    return inner.outbox();
  }

  @Override
  public Listening listen(Runnable wake) {
    return inner.listen(wake);
  }

  @Override
  public void wake() {
    inner.wake();
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
