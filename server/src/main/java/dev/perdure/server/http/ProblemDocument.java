// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes errors as RFC 9457 has them. */
public final class ProblemDocument {

  private static final String TYPE = "application/problem+json";

  private ProblemDocument() {}

  public static Response of(HttpProblemException refused) {
    ObjectNode json = document(refused.status(), refused.detail());
    if (!refused.errors().isEmpty()) {
      json.set("errors", errors(refused.errors()));
    }
    return response(refused.status(), json).withHeader(refused.headers());
  }

  /** A fault of ours, of which nobody outside learns more than where the log tells of it. */
  static Response internalError(String id) {
    ObjectNode json =
        document(
            HttpStatus.INTERNAL_SERVER_ERROR,
            "this is a fault of perdure; its log tells more under the id " + id);
    return response(
        HttpStatus.INTERNAL_SERVER_ERROR, json.put("instance", "urn:perdure:error:" + id));
  }

  private static ObjectNode document(int status, String detail) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "about:blank")
        .put("title", HttpStatus.reasonPhrase(status))
        .put("status", status)
        .put("detail", detail);
  }

  private static ArrayNode errors(List<FieldError> fieldErrors) {
    ArrayNode errors = JsonNodeFactory.instance.arrayNode();
    for (FieldError fieldError : fieldErrors) {
      errors.addObject().put("path", fieldError.path()).put("message", fieldError.message());
    }
    return errors;
  }

  private static Response response(int status, ObjectNode json) {
    return Response.text(status, TYPE, json.toString() + "\n");
  }
}
