// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows the description of the API. Neither needs the network nor a script. */
public final class ReferenceRoutes {

  private final Supplier<Response> document = once(() -> Response.ok(OpenApi.load().document()));
  private final Supplier<Response> page = once(ReferenceRoutes::rendered);

  /** Whoever opens the server in a browser finds something to read. */
  public Response home(Request request) {
    return Response.text(HttpStatus.SEE_OTHER, "text/plain; charset=utf-8", "see /docs\n")
        .withHeader("Location", "/docs");
  }

  public Response document(Request request) {
    return document.get();
  }

  public Response page(Request request) {
    return page.get();
  }

  private static Response rendered() {
    ReferencePage page = new ReferencePage(OpenApi.load());
    return Response.text(HttpStatus.OK, "text/html; charset=utf-8", page.html())
        .withHeader(
            "Content-Security-Policy",
            "default-src 'none'; style-src '%s'; frame-ancestors 'none'"
                .formatted(ReferencePage.styleHash()));
  }

  /** Made when it is first asked for: most servers are never asked. */
  private static Supplier<Response> once(Supplier<Response> making) {
    return new Supplier<>() {
      private @Nullable Response made;

      @Override
      public synchronized Response get() {
        Response response = made == null ? making.get() : made;
        made = response;
        return response;
      }
    };
  }
}
