// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClientBudgetsTest {

  @Test
  void allow_one_retry_for_ten_requests() {
    ClientBudgets clientBudgets = ClientBudgets.of(0.1, 1);
    deposit(clientBudgets, 0, 9);
    assertThat(clientBudgets.take(0)).isFalse();

    deposit(clientBudgets, 0, 1);
    assertThat(clientBudgets.take(0)).isTrue();
    assertThat(clientBudgets.take(0)).isFalse();
  }

  @Test
  void start_empty() {
    assertThat(ClientBudgets.of(1, 1).take(0)).isFalse();
  }

  @Test
  void are_each_clients_own() {
    ClientBudgets clientBudgets = ClientBudgets.of(1, 2);
    deposit(clientBudgets, 1, 1);

    assertThat(clientBudgets.take(0)).isFalse();
    assertThat(clientBudgets.take(1)).isTrue();
  }

  @Test
  void hold_ten_retries_and_no_more() {
    ClientBudgets clientBudgets = ClientBudgets.of(0.3, 1);
    deposit(clientBudgets, 0, 1_000);

    for (int i = 0; i < ClientBudgets.MAX_TOKENS; i++) {
      assertThat(clientBudgets.take(0)).isTrue();
    }
    assertThat(clientBudgets.take(0)).isFalse();
    assertThat(ClientBudgets.MAX_TOKENS).isEqualTo(10);
  }

  @Test
  void may_allow_everything() {
    ClientBudgets clientBudgets = ClientBudgets.unlimited();
    clientBudgets.deposit(3);

    assertThat(clientBudgets.take(3)).isTrue();
    assertThat(clientBudgets.take(3)).isTrue();
  }

  private static void deposit(ClientBudgets clientBudgets, int client, int times) {
    for (int i = 0; i < times; i++) {
      clientBudgets.deposit(client);
    }
  }
}
