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
  private final Supplier<String> page = once(() -> new ReferencePage(OpenApi.load()).html());

  public Response document(Request request) {
    return document.get();
  }

  public Response page(Request request) {
    String host = request.headers().first("Host").orElse("localhost");
    String html = ReferencePage.forServer(page.get(), host);
    return Response.text(HttpStatus.OK, "text/html; charset=utf-8", html)
        .withHeader(
            "Content-Security-Policy",
            "default-src 'none'; style-src '%s'; frame-ancestors 'none'"
                .formatted(ReferencePage.styleHash()));
  }

  /** Computes the value on first use: most servers never serve it. */
  private static <T> Supplier<T> once(Supplier<T> supplier) {
    return new Supplier<>() {
      private @Nullable T cached;

      @Override
      public synchronized T get() {
        T value = cached == null ? supplier.get() : cached;
        cached = value;
        return value;
      }
    };
  }
}
