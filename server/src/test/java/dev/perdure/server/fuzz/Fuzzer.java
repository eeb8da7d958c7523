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

/** Sends spoiled requests to every route of a server, and collects what is wrong with answers. */
final class Fuzzer {

  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final int MAX_COMPLAINTS = 20;

  private final int port;
  private final ValidRequests valid;
  private final ResponseChecker checker;
  private final boolean seesAll;
  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private final List<String> complaints = new ArrayList<>();

  /**
   * @param seesAll true for somebody to whom a list may show every task
   */
  Fuzzer(int port, ValidRequests valid, ResponseChecker checker, boolean seesAll) {
    this.port = port;
    this.valid = valid;
    this.checker = checker;
    this.seesAll = seesAll;
  }

  /** About so many requests; the same seed makes the same ones. */
  void run(List<Route> routes, long seed, int requests) {
    int shares = routes.stream().mapToInt(Fuzzer::share).sum();
    for (Route route : routes) {
      SplittableRandom random =
          new SplittableRandom(seed ^ (route.method() + route.pattern()).hashCode());
      int some = requests * share(route) / shares + 1;
      for (int i = 0; i < some && complaints.size() < MAX_COMPLAINTS; i++) {
        RawRequest example = valid.of(route, random);
        ask(Mutations.mutated(example, random), route, example.path());
      }
    }
  }

  /** Every value in the body of every route in its turn; nothing is left to chance. */
  void sweep(List<Route> routes) {
    for (Route route : routes) {
      RawRequest example = valid.of(route, new SplittableRandom(0));
      for (byte[] body : BodyMutations.each(example.body()).toList()) {
        if (complaints.size() < MAX_COMPLAINTS) {
          RawRequest spoiled = example.withBody(body);
          int status = ask(spoiled, route, example.path());
          refused(spoiled, status);
        }
      }
    }
  }

  /** What no store can keep must not be taken, and given back as something else. */
  private void refused(RawRequest request, int status) {
    String text = new String(request.body(), StandardCharsets.UTF_8);
    if (text.contains(HostileInputs.HALF) && status < 400) {
      complaints.add("half a character is taken: " + request);
    }
  }

  /** Where more can be sent, more can be wrong. */
  private static int share(Route route) {
    return route.method().equals("GET") || route.method().equals("DELETE") ? 1 : 5;
  }

  /** The status of the answer; 0 when there is none. */
  private int ask(RawRequest request, Route route, String path) {
    long start = System.nanoTime();
    RawResponse response = null;
    String end = "";
    try (RawHttpClient http = RawHttpClient.to(port)) {
      response = answer(http, request);
    } catch (SocketTimeoutException e) {
      complaints.add("a hang: " + request);
    } catch (IOException e) {
      // The judge says whether it may.
      end = " (" + e + ")";
    }
    String how = end;
    boolean ofOne = !seesAll || (route.pattern().contains("{") && request.path().equals(path));
    checker
        .violation(request, response, ofOne)
        .ifPresent(what -> complaints.add(what + how + ": " + request));
    if (System.nanoTime() - start > LONGEST.toNanos()) {
      complaints.add("an answer that took longer than " + LONGEST + ": " + request);
    }
    int status = response == null ? 0 : response.status();
    statuses.merge(status, 1, Integer::sum);
    return status;
  }

  private RawResponse answer(RawHttpClient http, RawRequest request) throws IOException {
    try {
      http.send(request.bytes(port));
      if (!request.isHttp()) {
        // Else the server would wait for what was announced and never comes.
        http.disconnect();
      }
    } catch (IOException e) {
      // It may have answered and closed before it had everything.
    }
    RawResponse response = http.readResponseTo(request.method());
    // Not the last word, but leave to send the body, which is there already.
    return response.status() == 100 ? http.readResponseTo(request.method()) : response;
  }

  List<String> complaints() {
    return complaints;
  }

  /** How many answers there were of each status; 0 for none. */
  Map<Integer, Integer> statuses() {
    return statuses;
  }
}
