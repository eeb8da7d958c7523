// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskContext;
import dev.perdure.testing.TestEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A task with more parents than are read at once. */
class ManyParentsTest {

  private static final List<String> NAMES =
      IntStream.range(0, 1_200).mapToObj(i -> "p" + i).toList();

  private final TestEngine test = TestEngine.create();
  private final Engine engine = test.engine();
  private final List<Object> read = new ArrayList<>();
  private String failing = "";

  ManyParentsTest() {
    engine.register(
        "parent",
        String.class,
        (name, context) -> {
          if (name.equals(failing)) {
            throw context.permanent("broken");
          }
          context.result(Map.of("from", name));
        });
    engine.register("child", String.class, this::readParents);
  }

  private void readParents(String payload, TaskContext context) {
    read.add(context.parent("p0").result(Map.class));
    read.add(context.parent("p1199").result(Map.class));
    read.add(context.parents().size());
  }

  private List<UUID> submit() {
    Stream<NewTask> parents = NAMES.stream().map(name -> NewTask.of("parent", name).id(name));
    NewTask child = NewTask.of("child", "").after(NAMES.toArray(String[]::new));
    return engine.submit(Batch.of(Stream.concat(parents, Stream.of(child)).toList())).ids();
  }

  @Test
  void a_handler_finds_each_of_them() {
    submit();
    test.runDue();

    assertThat(read).containsExactly(Map.of("from", "p0"), Map.of("from", "p1199"), 1_000);
  }

  @Test
  void a_refused_revive_names_the_one_that_failed() {
    failing = "p1199";
    UUID child = submit().getLast();
    test.runDue();

    assertThatThrownBy(() -> engine.revive(child)).hasMessageContaining("it depends on p1199 (");
  }
}
