// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.ui;

import dev.perdure.policy.FieldError;
import dev.perdure.server.http.GzipEncoder;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Role;
import dev.perdure.server.http.Route;
import dev.perdure.server.ui.DashboardFiles.DashboardFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Serves the dashboard. Its files tell nothing about tasks, so nobody needs a key for them. Every
 * address below {@code /ui/} that is not a file opens the shell, which shows the page for it.
 */
public final class DashboardRoutes {

  private static final String ROOT = "/ui/";
  private static final String SHELL = "index.html";

  /** The folder whose files never change, because their names contain a hash of their content. */
  private static final String ASSETS = "assets/";

  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types perdure";

  private static final String NO_DASHBOARD =
      "This build has no dashboard. To get it, install Node.js 20.19 or newer and build again"
          + " without -DskipUi. The API is described at /docs.";

  private static final Map<String, String> CONTENT_TYPES =
      Map.of(
          "css", "text/css; charset=utf-8",
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "json", "application/json",
          "png", "image/png",
          "svg", "image/svg+xml",
          "txt", "text/plain; charset=utf-8");

  private final DashboardFiles files;
  private final String prefix;

  /**
   * @param prefix the path that a proxy puts before every path, or nothing
   */
  DashboardRoutes(DashboardFiles files, String prefix) {
    this.files = files;
    this.prefix = prefix;
  }

  /** The dashboard of this build, behind a proxy that puts this prefix before every path. */
  public static DashboardRoutes of(String prefix) {
    return new DashboardRoutes(DashboardFiles.load(DashboardRoutes.class.getClassLoader()), prefix);
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/", Role.NONE, this::home),
        Route.get("/ui", Role.NONE, request -> redirect(ROOT)),
        Route.get(ROOT + "{path...}", Role.NONE, this::file));
  }

  /** Sends people to the dashboard and programs to the description of the API. */
  private Response home(Request request) {
    return redirect(acceptsHtml(request) && !files.isEmpty() ? ROOT : "/docs")
        .withHeader("Vary", "Accept");
  }

  private Response redirect(String path) {
    return Response.text(
            HttpStatus.SEE_OTHER, "text/plain; charset=utf-8", "see " + prefix + path + "\n")
        .withHeader("Location", prefix + path);
  }

  private Response file(Request request) {
    if (files.isEmpty()) {
      return noDashboard(request);
    }
    String path = request.path().substring(ROOT.length());
    Optional<DashboardFile> file = path.equals(SHELL) ? Optional.empty() : files.find(path);
    if (file.isPresent()) {
      return response(request, path, file.get());
    }
    if (path.startsWith(ASSETS)) {
      throw HttpProblemException.notFound(
          "the dashboard has no file '%s': reload the page, which may be of another version"
              .formatted(FieldError.sanitize(path)));
    }
    return shell();
  }

  private static Response response(Request request, String path, DashboardFile file) {
    boolean gzip = GzipEncoder.acceptsGzip(request.headers());
    String type =
        CONTENT_TYPES.getOrDefault(
            path.substring(path.lastIndexOf('.') + 1), "application/octet-stream");
    Response response =
        new Response(HttpStatus.OK, Map.of("Content-Type", type), gzip ? file.gzip() : file.plain())
            .withHeader("Vary", "Accept-Encoding")
            .withHeader(
                "Cache-Control",
                path.startsWith(ASSETS) ? "public, max-age=31536000, immutable" : "no-cache");
    return gzip ? response.withHeader("Content-Encoding", "gzip") : response;
  }

  /** The page, with the addresses of its files as they are behind the proxy. */
  private Response shell() {
    byte[] plain = files.find(SHELL).orElseThrow().plain();
    String html =
        new String(plain, StandardCharsets.UTF_8)
            .replace("=\"/ui/", "=\"" + prefix + ROOT)
            .replace(
                "name=\"perdure-prefix\" content=\"\"",
                "name=\"perdure-prefix\" content=\"" + prefix + "\"");
    return Response.text(HttpStatus.OK, "text/html; charset=utf-8", html)
        .withHeader("Cache-Control", "no-cache")
        .withHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  }

  /** A browser shows plain text to people; programs get a problem document as everywhere. */
  private static Response noDashboard(Request request) {
    if (acceptsHtml(request)) {
      return Response.text(HttpStatus.NOT_FOUND, "text/plain; charset=utf-8", NO_DASHBOARD + "\n");
    }
    throw HttpProblemException.notFound(NO_DASHBOARD);
  }

  private static boolean acceptsHtml(Request request) {
    return request.headers().all("Accept").stream()
        .flatMap(line -> Arrays.stream(line.toLowerCase(Locale.ROOT).split(",", -1)))
        .map(range -> range.replaceFirst(";.*", "").strip())
        .anyMatch("text/html"::equals);
  }
}
