// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.http.Route;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Sends mutated requests to every route of a server and collects violations in the responses. */
final class Fuzzer {

  private static final Duration MAX_RESPONSE_TIME = Duration.ofSeconds(10);
  private static final int MAX_VIOLATIONS = 20;

  private final int port;
  private final ValidRequests valid;
  private final ResponseChecker checker;
  private final boolean seesAll;
  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();

  /**
   * @param seesAll true when the key may list every task
   */
  Fuzzer(int port, ValidRequests valid, ResponseChecker checker, boolean seesAll) {
    this.port = port;
    this.valid = valid;
    this.checker = checker;
    this.seesAll = seesAll;
  }

  /** Sends about this many requests; the same seed sends the same ones. */
  void run(List<Route> routes, long seed, int requests) {
    int shares = routes.stream().mapToInt(Fuzzer::share).sum();
    for (Route route : routes) {
      SplittableRandom random =
          new SplittableRandom(seed ^ (route.method() + route.pattern()).hashCode());
      int count = requests * share(route) / shares + 1;
      for (int i = 0; i < count && violations.size() < MAX_VIOLATIONS; i++) {
        RawRequest example = valid.of(route, random);
        send(Mutations.mutated(example, random), route, example.path());
      }
    }
  }

  /** Replaces every value in the body of every route, one after the other, without randomness. */
  void sweep(List<Route> routes) {
    for (Route route : routes) {
      RawRequest example = valid.of(route, new SplittableRandom(0));
      for (byte[] body : BodyMutations.each(example.body()).toList()) {
        if (violations.size() < MAX_VIOLATIONS) {
          RawRequest mutated = example.withBody(body);
          int status = send(mutated, route, example.path());
          checkRejected(mutated, status);
        }
      }
    }
  }

  /** An unpaired surrogate must be rejected: no store can keep it unchanged. */
  private void checkRejected(RawRequest request, int status) {
    String text = new String(request.body(), StandardCharsets.UTF_8);
    if (text.contains(HostileInputs.UNPAIRED_SURROGATE) && status < 400) {
      violations.add("an unpaired surrogate is accepted: " + request);
    }
  }

  /** Routes with a body get more requests. */
  private static int share(Route route) {
    return route.method().equals("GET") || route.method().equals("DELETE") ? 1 : 5;
  }

  /** The status of the response; 0 when there is none. */
  private int send(RawRequest request, Route route, String path) {
    long start = System.nanoTime();
    RawResponse response = null;
    String end = "";
    try (RawHttpClient http = RawHttpClient.to(port)) {
      response = exchange(http, request);
    } catch (SocketTimeoutException e) {
      violations.add("a hang: " + request);
    } catch (IOException e) {
      // The checker decides whether that is allowed.
      end = " (" + e + ")";
    }
    String cause = end;
    boolean mustHideSecret =
        !seesAll || (route.pattern().contains("{") && request.path().equals(path));
    checker
        .violation(request, response, mustHideSecret)
        .ifPresent(what -> violations.add(what + cause + ": " + request));
    if (System.nanoTime() - start > MAX_RESPONSE_TIME.toNanos()) {
      violations.add("a response that took longer than " + MAX_RESPONSE_TIME + ": " + request);
    }
    int status = response == null ? 0 : response.status();
    statuses.merge(status, 1, Integer::sum);
    return status;
  }

  private RawResponse exchange(RawHttpClient http, RawRequest request) throws IOException {
    try {
      http.send(request.bytes(port));
      if (!request.isHttp()) {
        // Otherwise the server would wait for a body that never comes.
        http.disconnect();
      }
    } catch (IOException e) {
      // The server may respond and close before it has read everything.
    }
    RawResponse response = http.readResponseTo(request.method());
    // An interim response; the body has already been sent.
    return response.status() == 100 ? http.readResponseTo(request.method()) : response;
  }

  List<String> violations() {
    return violations;
  }

  /** The number of responses by status; status 0 means no response. */
  Map<Integer, Integer> statuses() {
    return statuses;
  }
}
