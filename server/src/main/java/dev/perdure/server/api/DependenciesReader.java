// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Batch;
import dev.perdure.engine.DependencyProblem;
import dev.perdure.engine.NewTask;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the dependencies of the tasks of a submission, and remembers where each one stands. */
final class DependenciesReader {

  /** Maximum number of dependencies of one task. */
  static final int MAX_DEPENDENCIES = 10_000;

  private final FieldErrors errors;

  /** The dependencies of each task, in the order in which the engine has them. */
  private final List<List<Parent>> parents = new ArrayList<>();

  /**
   * @param path the field with the id of the parent
   */
  private record Parent(String path, String id, boolean requiresSuccess) {}

  DependenciesReader(FieldErrors errors) {
    this.errors = errors;
  }

  /**
   * Adds dependencies to the next task of the submission; call it once for each task.
   *
   * @param value null for no dependencies
   */
  NewTask read(NewTask task, @Nullable JsonValueReader value) {
    List<JsonValueReader> items = value == null ? null : value.array(MAX_DEPENDENCIES);
    if (items == null || items.isEmpty()) {
      parents.add(List.of());
      return task;
    }
    Map<Boolean, List<Parent>> found =
        items.stream()
            .takeWhile(item -> !errors.isFull())
            .map(DependenciesReader::parent)
            .flatMap(Stream::ofNullable)
            .collect(Collectors.partitioningBy(Parent::requiresSuccess));
    List<Parent> required = found.getOrDefault(true, List.of());
    List<Parent> others = found.getOrDefault(false, List.of());
    parents.add(Stream.concat(required.stream(), others.stream()).toList());
    return task.after(ids(required)).afterEvenIfFailed(ids(others));
  }

  private static String[] ids(List<Parent> parents) {
    return parents.stream().map(Parent::id).toArray(String[]::new);
  }

  private static @Nullable Parent parent(JsonValueReader item) {
    JsonObjectReader fields = item.object();
    if (fields == null) {
      return null;
    }
    JsonValueReader id = fields.required("id");
    String text = id == null ? null : id.text();
    JsonValueReader success = fields.nonNull("requires_success");
    Boolean required = success == null ? Boolean.TRUE : success.bool();
    fields.rejectUnknown();
    return id == null || text == null || required == null || !isPossible(id, text)
        ? null
        : new Parent(id.path(), text, required);
  }

  private static boolean isPossible(JsonValueReader value, String id) {
    try {
      NewTask.of("any", null).after(id);
      return true;
    } catch (IllegalArgumentException e) {
      value.addError(RejectedArgument.of(e).message());
      return false;
    }
  }

  /** The ids by which the last task that was read names the tasks to wait for. */
  Set<String> lastIds() {
    return parents.getLast().stream().map(Parent::id).collect(Collectors.toSet());
  }

  /**
   * The field of the first dependency on a stored task; empty when there is none.
   *
   * @param localIds the ids of the tasks of the submission
   */
  Optional<String> firstStored(Set<String> localIds) {
    return parents.stream()
        .flatMap(List::stream)
        .filter(parent -> !localIds.contains(parent.id()))
        .map(Parent::path)
        .findFirst();
  }

  /** Notes the problems that the engine finds in the dependencies of the whole batch. */
  void check(Batch batch, Function<Batch, List<DependencyProblem>> problems) {
    if (parents.stream().allMatch(List::isEmpty)) {
      return;
    }
    for (DependencyProblem problem : problems.apply(batch)) {
      errors.add(parents.get(problem.task()).get(problem.dependency()).path(), problem.message());
    }
  }

  /** The errors of the fields that name these tasks, which do not exist. */
  List<FieldError> unknown(Collection<UUID> tasks) {
    FieldErrors found = new FieldErrors();
    Set<UUID> missing = Set.copyOf(tasks);
    for (List<Parent> some : parents) {
      for (Parent parent : some) {
        UUID id = QueryReader.parseUuid(parent.id());
        if (id != null && missing.contains(id)) {
          found.add(parent.path(), "there is no task %s, or it was deleted".formatted(id));
        }
      }
    }
    return found.list();
  }
}
