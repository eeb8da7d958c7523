// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives some tasks limits that they share with others of their kind. */
final class LimitGenerator {

  /** The field that tells tasks apart; few values, so that many tasks share a limit. */
  private static final String FIELD = "tenant";

  /** A missing field is a value of its own. */
  private static final String MISSING = "missing";

  private static final List<String> VALUES = List.of("a", "a", "a", "b", "b", "b", MISSING);
  private static final int MAX_LIMITS = 3;
  private static final int MAX_RUNNING = 3;
  private static final int MAX_ITEMS = 12;
  private static final int MAX_EXPECTED = 8;
  private static final int NONE_ONE_IN = 5;
  private static final int NARROW_ONE_IN = 3;

  private final SimulationRandom random;
  private final Map<String, LimitRule> rules = new HashMap<>();
  private String floodedKind = NodeProcess.KINDS.getFirst();
  private String floodedValue = VALUES.getFirst();

  LimitGenerator(SimulationRandom random) {
    this.random = random;
  }

  /** Adds one to three limits to every third task. */
  NewTask maybeLimit(NewTask task, String kind) {
    return random.oneIn(3) ? limit(task, kind) : task;
  }

  private NewTask limit(NewTask task, String kind) {
    return limit(task, kind, random.pick(VALUES), types());
  }

  /** Generates many tasks with the same limits. */
  List<NewTask> flood(World world, String submission) {
    String kind = random.pick(NodeProcess.KINDS);
    String value = random.pick(VALUES);
    List<LimitType> types = types();
    floodedKind = kind;
    floodedValue = value;
    List<NewTask> tasks = new ArrayList<>();
    for (int i = random.between(3, 8); i > 0; i--) {
      tasks.add(limit(TaskGenerator.generate(world, submission, kind), kind, value, types));
    }
    return tasks;
  }

  /** Generates a task that lowers the limits on concurrency that the last flood is subject to. */
  NewTask lowering(World world, String submission) {
    LimitRule lowest = LimitRule.concurrency(1);
    rules.put(key(LimitType.CONCURRENCY, floodedKind, floodedValue), lowest);
    rules.put(key(LimitType.CONCURRENCY, floodedKind, ""), lowest);
    NewTask task = TaskGenerator.generate(world, submission, floodedKind);
    return withField(task, floodedValue).limit(Limit.of(lowest).per(FIELD)).limit(Limit.of(lowest));
  }

  private static NewTask withField(NewTask task, String value) {
    return value.equals(MISSING) ? task : task.metadata(Map.of(FIELD, value));
  }

  private List<LimitType> types() {
    List<LimitType> all = new ArrayList<>(List.of(LimitType.values()));
    for (int i = all.size() - 1; i > 0; i--) {
      Collections.swap(all, i, random.between(0, i));
    }
    return all.subList(0, random.between(1, MAX_LIMITS));
  }

  private NewTask limit(NewTask generated, String kind, String value, List<LimitType> types) {
    NewTask task = withField(generated, value);
    if (types.contains(LimitType.CAPACITY)) {
      task = task.expectedCount(random.between(0, MAX_EXPECTED));
    }
    for (LimitType type : types) {
      task = task.limit(limit(type, kind, value));
    }
    return task;
  }

  private Limit limit(LimitType type, String kind, String value) {
    boolean apart = !random.oneIn(4);
    Limit limit = Limit.of(rule(type, kind, apart ? value : ""));
    return apart ? limit.per(FIELD) : limit;
  }

  /**
   * Generates other limits for tasks of this kind, sometimes none, sometimes one that several of
   * them exceed.
   *
   * @param counted whether the tasks say how many items they have
   */
  List<Limit> change(String kind, boolean counted) {
    if (random.oneIn(NONE_ONE_IN)) {
      return List.of();
    }
    if (random.oneIn(NARROW_ONE_IN)) {
      LimitRule lowest = LimitRule.concurrency(1);
      rules.put(key(LimitType.CONCURRENCY, kind, ""), lowest);
      return List.of(Limit.of(lowest));
    }
    String value = random.pick(VALUES);
    return types().stream()
        .filter(type -> counted || type != LimitType.CAPACITY)
        .map(type -> limit(type, kind, value))
        .toList();
  }

  /** Generates limits for a whole kind, sometimes none. */
  List<Limit> ofKind() {
    if (random.oneIn(NONE_ONE_IN)) {
      return List.of();
    }
    boolean apart = random.oneIn(2);
    return types().stream()
        .filter(type -> type != LimitType.CAPACITY)
        .map(type -> apart ? Limit.of(rule(type)).per(FIELD) : Limit.of(rule(type)))
        .toList();
  }

  /** Mostly the number that the last task had. */
  private LimitRule rule(LimitType type, String kind, String value) {
    String key = key(type, kind, value);
    LimitRule last = rules.get(key);
    if (last == null || random.oneIn(8)) {
      last = rule(type);
      rules.put(key, last);
    }
    return last;
  }

  private static String key(LimitType type, String kind, String value) {
    return type.text() + " " + kind + " " + value;
  }

  private LimitRule rule(LimitType type) {
    return switch (type) {
      case CONCURRENCY -> LimitRule.concurrency(random.between(1, MAX_RUNNING));
      case CAPACITY -> LimitRule.capacity(random.between(1, MAX_ITEMS));
      case RATE -> {
        int starts = random.between(1, MAX_RUNNING);
        Duration period = random.seconds(1, 12);
        yield LimitRule.rate(starts, period, random.between(1, starts));
      }
    };
  }
}
