// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetsTest {

  @Test
  void allow_one_retry_for_ten_requests() {
    Budgets budgets = Budgets.of(0.1, 1);
    deposit(budgets, 0, 9);
    assertThat(budgets.take(0)).isFalse();

    deposit(budgets, 0, 1);
    assertThat(budgets.take(0)).isTrue();
    assertThat(budgets.take(0)).isFalse();
  }

  @Test
  void start_empty() {
    assertThat(Budgets.of(1, 1).take(0)).isFalse();
  }

  @Test
  void are_each_clients_own() {
    Budgets budgets = Budgets.of(1, 2);
    deposit(budgets, 1, 1);

    assertThat(budgets.take(0)).isFalse();
    assertThat(budgets.take(1)).isTrue();
  }

  @Test
  void hold_ten_retries_and_no_more() {
    Budgets budgets = Budgets.of(0.3, 1);
    deposit(budgets, 0, 1_000);

    for (int i = 0; i < Budgets.MOST_TOKENS; i++) {
      assertThat(budgets.take(0)).isTrue();
    }
    assertThat(budgets.take(0)).isFalse();
    assertThat(Budgets.MOST_TOKENS).isEqualTo(10);
  }

  @Test
  void may_allow_everything() {
    Budgets budgets = Budgets.unlimited();
    budgets.deposit(3);

    assertThat(budgets.take(3)).isTrue();
    assertThat(budgets.take(3)).isTrue();
  }

  private static void deposit(Budgets budgets, int client, int times) {
    for (int i = 0; i < times; i++) {
      budgets.deposit(client);
    }
  }
}
