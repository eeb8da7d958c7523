// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Everything between a listener and the routes: who may come in, how errors look, and the headers
 * that every answer has. Whatever goes wrong, there is an answer.
 */
public final class Site implements Handler {

  /** What keeps a browser from doing more with an answer than showing it. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Cache-Control", "no-store",
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Referrer-Policy", "no-referrer",
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY");

  private final OwnNames names;
  private final Callers callers;
  private final RouteTable routes;
  private final Recorder recorder;
  private final Function<RuntimeException, Optional<RefusedException>> known;
  private final Faults faults;

  /**
   * @param recorder writes down what was done
   * @param known what is no fault although it was thrown, as a refusal
   * @param random makes the ids of faults
   */
  public Site(
      OwnNames names,
      Callers callers,
      RouteTable routes,
      Recorder recorder,
      Function<RuntimeException, Optional<RefusedException>> known,
      RandomGenerator random) {
    this.names = names;
    this.callers = callers;
    this.routes = routes;
    this.recorder = recorder;
    this.known = known;
    this.faults = new Faults(random);
  }

  @Override
  public Response handle(Request request) {
    return finished(answer(request));
  }

  /** The answer to a request that could not even be read. */
  public static Response refusal(RefusedException refused) {
    return finished(ProblemDocument.of(refused));
  }

  private static Response finished(Response response) {
    return response.over(HEADERS);
  }

  private Response answer(Request request) {
    try {
      names.check(request);
      MediaType.check(request);
      // Once: what is done may change who the caller would be, as when it revokes its own key.
      Once<Caller> who = new Once<>(() -> callers.of(request.headers()));
      return routes.handle(
          request.withCaller(who).withLedger(deed -> recorder.record(who.get(), deed)));
    } catch (RefusedException e) {
      return ProblemDocument.of(e);
    } catch (RuntimeException e) {
      return known.apply(e).map(ProblemDocument::of).orElseGet(() -> faults.answer(request, e));
    } catch (Error e) {
      return faults.answer(request, e);
    }
  }
}
