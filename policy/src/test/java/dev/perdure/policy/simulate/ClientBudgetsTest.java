// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClientBudgetsTest {

  @Test
  void allow_one_retry_for_ten_requests() {
    ClientBudgets budgets = ClientBudgets.of(0.1, 1);
    deposit(budgets, 0, 9);
    assertThat(budgets.take(0)).isFalse();

    deposit(budgets, 0, 1);
    assertThat(budgets.take(0)).isTrue();
    assertThat(budgets.take(0)).isFalse();
  }

  @Test
  void start_empty() {
    assertThat(ClientBudgets.of(1, 1).take(0)).isFalse();
  }

  @Test
  void are_separate_for_each_client() {
    ClientBudgets budgets = ClientBudgets.of(1, 2);
    deposit(budgets, 1, 1);

    assertThat(budgets.take(0)).isFalse();
    assertThat(budgets.take(1)).isTrue();
  }

  @Test
  void hold_at_most_ten_retries() {
    ClientBudgets budgets = ClientBudgets.of(0.3, 1);
    deposit(budgets, 0, 1_000);

    for (int i = 0; i < ClientBudgets.MAX_TOKENS; i++) {
      assertThat(budgets.take(0)).isTrue();
    }
    assertThat(budgets.take(0)).isFalse();
    assertThat(ClientBudgets.MAX_TOKENS).isEqualTo(10);
  }

  @Test
  void may_allow_everything() {
    ClientBudgets budgets = ClientBudgets.unlimited();
    budgets.deposit(3);

    assertThat(budgets.take(3)).isTrue();
    assertThat(budgets.take(3)).isTrue();
  }

  private static void deposit(ClientBudgets budgets, int client, int times) {
    for (int i = 0; i < times; i++) {
      budgets.deposit(client);
    }
  }
}
