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
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttemptCredentialsTest {

  private static Request requestBy(Role role) {
    Request anonymous =
        Request.of(
            "PATCH",
            "/task/x",
            QueryParameters.parse(null),
            Headers.from(each -> {}),
            () -> new byte[0]);
    return new Request(
        anonymous.method(),
        anonymous.path(),
        anonymous.clientAddress(),
        anonymous.pathVariables(),
        anonymous.query(),
        anonymous.headers(),
        anonymous.body(),
        () -> new Caller("bob", null, Set.of(role)),
        anonymous.auditSink(),
        anonymous.permit());
  }

  @Test
  void a_request_with_an_epoch_acts_for_that_lease() {
    assertThat(AttemptCredentials.ofRequest(requestBy(Role.WORK), 7L))
        .isEqualTo(AttemptCredential.ofLease(7));
    assertThat(AttemptCredentials.ofRequest(requestBy(Role.ADMIN), 7L))
        .isEqualTo(AttemptCredential.ofLease(7));
  }

  @Test
  void a_request_without_an_epoch_needs_the_role_admin() {
    assertThat(AttemptCredentials.ofRequest(requestBy(Role.ADMIN), null))
        .isEqualTo(AttemptCredential.ofOperator());
    for (Role role : List.of(Role.WORK, Role.OPERATE)) {
      assertThatThrownBy(() -> AttemptCredentials.ofRequest(requestBy(role), null))
          .isInstanceOf(HttpProblemException.class)
          .hasMessageContaining("needs the role admin, which the key bob does not have")
          .extracting(refused -> ((HttpProblemException) refused).status())
          .isEqualTo(403);
    }
  }
}
