// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.LimitTables.OpenLimit;
import dev.perdure.engine.spi.LimitTables.WaitingTask;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.TaskLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KindLimitsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String KEY = "concurrency:kind:sync[tenant=\"acme\"]";
  private static final String ACME = "{\"tenant\": \"acme\"}";
  private static final Limit RATE = Limit.rate(5, Duration.ofSeconds(1));

  private static KindLimits limits(Limit... limits) {
    return new KindLimits(
        List.of(new KindLimit("sync", List.of(limits), KindLimit.Source.OPERATOR, NOW)));
  }

  private final KindLimits perTenant = limits(Limit.concurrency(2).per("tenant"));

  @Test
  void a_task_gets_its_own_limits_and_those_of_its_kind() {
    String rules = LimitRules.write(List.of(Limit.concurrency(7)), "sync");

    assertThat(perTenant.ofTask(null, null, "sync", ACME))
        .containsExactly(new TaskLimit(KEY, LimitRule.concurrency(2)));
    assertThat(perTenant.ofTask("concurrency:sync[]", rules, "sync", ACME))
        .extracting(TaskLimit::key)
        .containsExactly("concurrency:sync[]", KEY);
    assertThat(perTenant.ofTask("concurrency:sync[]\nrate:kind:sync[]", rules, "sync", ACME))
        .as("instead of old ones of its kind")
        .extracting(TaskLimit::key)
        .containsExactly("concurrency:sync[]", KEY);
    assertThat(perTenant.ofTask(KEY, null, "mail", ACME)).isEmpty();
  }

  @Test
  void a_task_is_outdated_if_it_has_other_keys_than_its_kind() {
    assertThat(perTenant.isOutdated(List.of(KEY), "sync", ACME)).isFalse();
    assertThat(perTenant.isOutdated(List.of("concurrency:sync[]", KEY), "sync", ACME)).isFalse();
    assertThat(perTenant.isOutdated(List.of(), "sync", ACME)).isTrue();
    assertThat(perTenant.isOutdated(List.of(KEY), "sync", null)).isTrue();
    assertThat(perTenant.isOutdated(List.of(KEY), "mail", ACME)).isTrue();
    assertThat(KindLimits.NONE.isOutdated(List.of("concurrency:sync[]"), "sync", ACME)).isFalse();
    assertThat(limits(Limit.concurrency(2), RATE).isOutdated(List.of(KEY), "sync", ACME)).isTrue();
  }

  @Test
  void says_how_much_a_limit_of_a_kind_allows() {
    assertThat(perTenant.rule(KEY)).contains(LimitRule.concurrency(2));
    assertThat(perTenant.rule("concurrency:sync[]")).as("of the rules of tasks").isEmpty();
    assertThat(perTenant.isRemoved("concurrency:sync[]")).isFalse();
    assertThat(perTenant.isRemoved(KEY)).isFalse();
    for (String removed : List.of("concurrency:kind:mail[]", "rate:kind:sync[]")) {
      assertThat(perTenant.rule(removed)).map(LimitRule::max).contains(LimitRule.MAX);
      assertThat(perTenant.isRemoved(removed)).isTrue();
    }
  }

  @Test
  void keys_of_kinds_differ_from_those_of_tasks() {
    for (String kind : List.of("sync", "kind", "kind:sync", "a b[]\"", "x".repeat(100))) {
      String ofKind = LimitKeys.ofKind(LimitType.RATE, kind, List.of("f"), null);
      String ofTask = LimitKeys.of(LimitType.RATE, kind, List.of("f"), null);
      assertThat(LimitKeys.isOfKind(ofKind)).as(ofKind).isTrue();
      assertThat(LimitKeys.isOfKind(ofTask)).as(ofTask).isFalse();
      assertThat(LimitKeys.kind(ofKind)).isEqualTo(kind);
      assertThat(LimitKeys.kind(ofTask)).isEqualTo(kind);
      assertThat(ofKind).startsWith(LimitKeys.prefixOfKind(LimitType.RATE, kind));
      LimitKeys.requireKind(kind);
    }
    assertThatThrownBy(() -> LimitKeys.requireKind("\u0001".repeat(100)))
        .hasMessageContaining("kind: is too long for a limit");
  }

  @Test
  void a_kind_has_one_limit_of_each_type_but_not_on_capacity() {
    KindLimit.require(List.of(Limit.concurrency(1), RATE));
    assertThatThrownBy(() -> KindLimit.require(List.of(Limit.capacity(1))))
        .hasMessageContaining("not on capacity");
    assertThatThrownBy(() -> KindLimit.require(List.of(RATE, RATE)))
        .hasMessageContaining("one limit of each type");
    assertThatThrownBy(() -> KindLimit.require(List.of(Limit.concurrency(1), RATE.per("tenant"))))
        .hasMessageContaining("the same metadata fields");
  }

  private static FakeLimitTables claim(KindLimits kinds, LimitRow row, String... keys) {
    FakeLimitTables tables = new FakeLimitTables(NOW);
    tables.kinds = kinds;
    WaitingTask task = new WaitingTask(new UUID(0, 1), "sync", "sync", NOW, NOW, List.of(keys), 0);
    tables.open.add(new OpenLimit(row, NOW, List.of(task)));
    new LimitedClaim<>(tables, List.of(new QueueCapacity("sync", 10)), 10).run();
    return tables;
  }

  private static LimitRow row(String key, long max, long used) {
    return new LimitRow(key, "sync", LimitRule.concurrency(max), used, null, null);
  }

  @Test
  void a_claim_updates_an_outdated_task_instead_of_starting_it() {
    FakeLimitTables tables =
        claim(limits(Limit.concurrency(2)), row("concurrency:sync[]", 5, 0), "concurrency:sync[]");

    assertThat(tables.updated).containsExactly(new UUID(0, 1));
    assertThat(tables.chosen).isEmpty();
    assertThat(lookAt(tables, "concurrency:sync[]")).as("at once").isEqualTo(NOW);
  }

  @Test
  void a_claim_decides_by_the_number_of_the_kind_and_stores_it() {
    String key = "concurrency:kind:sync[]";
    FakeLimitTables lowered = claim(limits(Limit.concurrency(2)), row(key, 5, 2), key);
    assertThat(lowered.chosen).isEmpty();
    assertThat(rule(lowered, key)).isEqualTo(LimitRule.concurrency(2));

    FakeLimitTables raised = claim(limits(Limit.concurrency(9)), row(key, 5, 5), key);
    assertThat(raised.chosen).hasSize(1);
    assertThat(rule(raised, key)).isEqualTo(LimitRule.concurrency(9));
    assertThat(lookAt(raised, key)).as("more tasks may wait").isEqualTo(NOW);
  }

  private static LimitRule rule(FakeLimitTables tables, String key) {
    return Objects.requireNonNull(tables.updates.get(key)).limit().rule();
  }

  private static Instant lookAt(FakeLimitTables tables, String key) {
    return Objects.requireNonNull(Objects.requireNonNull(tables.updates.get(key)).limit().lookAt());
  }
}
