// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.Problem;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes errors as RFC 9457 has them. */
public final class ProblemDocument {

  private static final String TYPE = "application/problem+json";

  private ProblemDocument() {}

  public static Response of(RefusedException refused) {
    ObjectNode json = document(refused.status(), refused.detail());
    if (!refused.errors().isEmpty()) {
      json.set("errors", errors(refused.errors()));
    }
    return response(refused.status(), json).with(refused.headers());
  }

  /** A fault of ours, of which nobody outside learns more than where the log tells of it. */
  static Response ofFault(String id) {
    ObjectNode json =
        document(Status.ERROR, "this is a fault of perdure; its log tells more under the id " + id);
    return response(Status.ERROR, json.put("instance", "urn:perdure:fault:" + id));
  }

  private static ObjectNode document(int status, String detail) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "about:blank")
        .put("title", Status.phrase(status))
        .put("status", status)
        .put("detail", detail);
  }

  private static ArrayNode errors(List<Problem> problems) {
    ArrayNode errors = JsonNodeFactory.instance.arrayNode();
    for (Problem problem : problems) {
      errors.addObject().put("path", problem.path()).put("message", problem.message());
    }
    return errors;
  }

  private static Response response(int status, ObjectNode json) {
    return Response.text(status, TYPE, json.toString() + "\n");
  }
}
