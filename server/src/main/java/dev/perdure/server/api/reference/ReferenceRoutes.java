// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves the API reference as OpenAPI and as a page. */
public final class ReferenceRoutes {

  private final Supplier<Response> document = once(() -> Response.ok(OpenApi.load().document()));
  private final Supplier<Response> page = once(ReferenceRoutes::rendered);

  /** Redirects a browser that opens the server's root to the reference. */
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

  /** Computes the response on first use: most servers never serve it. */
  private static Supplier<Response> once(Supplier<Response> supplier) {
    return new Supplier<>() {
      private @Nullable Response cached;

      @Override
      public synchronized Response get() {
        Response response = cached == null ? supplier.get() : cached;
        cached = response;
        return response;
      }
    };
  }
}
