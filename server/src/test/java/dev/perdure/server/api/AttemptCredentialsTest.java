// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Role;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttemptCredentialsTest {

  private static Request by(Role role) {
    Request anyones =
        Request.of(
            "PATCH",
            "/task/x",
            QueryParameters.parse(null),
            Headers.from(each -> {}),
            () -> new byte[0]);
    return new Request(
        anyones.method(),
        anyones.path(),
        anyones.pathVariables(),
        anyones.query(),
        anyones.headers(),
        anyones.body(),
        () -> new Caller("bob", null, Set.of(role)),
        anyones.auditSink(),
        anyones.permit());
  }

  @Test
  void a_worker_speaks_for_the_lease_it_names() {
    assertThat(AttemptCredentials.ofRequest(by(Role.WORK), 7L))
        .isEqualTo(AttemptCredential.ofLease(7));
    assertThat(AttemptCredentials.ofRequest(by(Role.ADMIN), 7L))
        .isEqualTo(AttemptCredential.ofLease(7));
  }

  @Test
  void without_an_epoch_only_an_admin_speaks() {
    assertThat(AttemptCredentials.ofRequest(by(Role.ADMIN), null))
        .isEqualTo(AttemptCredential.ofOperator());
    assertThatThrownBy(() -> AttemptCredentials.ofRequest(by(Role.WORK), null))
        .isInstanceOf(HttpProblemException.class)
        .hasMessageContaining("needs the role admin, which the key bob does not have")
        .extracting(refused -> ((HttpProblemException) refused).status())
        .isEqualTo(403);
  }
}
