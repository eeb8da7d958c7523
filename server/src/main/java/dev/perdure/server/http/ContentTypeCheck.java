// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Refuses every body that is not JSON. Web pages can send forms and plain text to any server
 * without asking it first, but not JSON.
 */
final class ContentTypeCheck {

  private static final Pattern JSON =
      Pattern.compile("(?i)application/json\\s*(;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?");

  private ContentTypeCheck() {}

  static void check(Request request) {
    List<String> types = request.headers().all(Response.CONTENT_TYPE);
    boolean json = types.size() == 1 && JSON.matcher(types.getFirst().strip()).matches();
    if (!json && (request.hasBody() || !types.isEmpty())) {
      throw HttpProblemException.of(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE,
          "the body must be JSON in UTF-8 with the header Content-Type: application/json; "
              + (types.isEmpty()
                  ? "the header is missing"
                  : "the header is '" + FieldError.sanitize(String.join(", ", types)) + "'"));
    }
    if (request.headers().has("Content-Encoding")) {
      throw HttpProblemException.of(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE,
          "compressed bodies are not supported: send the body without Content-Encoding");
    }
  }
}
