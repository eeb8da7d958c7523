// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes errors as problem documents (RFC 9457). */
public final class ProblemDocument {

  private static final String TYPE = "application/problem+json";

  private ProblemDocument() {}

  public static Response of(HttpProblemException problem) {
    ObjectNode json = document(problem.status(), problem.detail());
    if (!problem.errors().isEmpty()) {
      json.set("errors", errors(problem.errors()));
    }
    return response(problem.status(), json).withHeader(problem.headers());
  }

  /** The response to an internal error: only an id, by which the log has the details. */
  static Response internalError(String id) {
    ObjectNode json =
        document(
            HttpStatus.INTERNAL_SERVER_ERROR,
            "internal error of perdure; its log has the details under the id " + id);
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
