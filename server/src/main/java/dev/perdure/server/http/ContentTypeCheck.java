// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Lets no body pass but JSON. A form or plain text is what a web page can send to any server
 * without asking it first.
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
          "the body must be application/json in UTF-8, and the header Content-Type must say so; "
              + (types.isEmpty()
                  ? "there is none"
                  : "it says '" + FieldError.sanitize(String.join(", ", types)) + "'"));
    }
    if (request.headers().has("Content-Encoding")) {
      throw HttpProblemException.of(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE,
          "the body must be sent as it is, without Content-Encoding");
    }
  }
}
