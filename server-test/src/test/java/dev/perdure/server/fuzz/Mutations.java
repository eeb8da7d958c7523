// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Mutates a valid request in one or a few ways. */
final class Mutations {

  private Mutations() {}

  static RawRequest mutated(RawRequest request, SplittableRandom random) {
    RawRequest mutated = request;
    int ways = random.nextInt(10) == 0 ? 1 + random.nextInt(4) : random.nextInt(2);
    for (int i = 0; i < ways; i++) {
      mutated = once(mutated, random);
    }
    boolean hasBody = mutated.body().length > 0;
    return hasBody && random.nextInt(4) > 0
        ? mutated.withBody(BodyMutations.mutated(mutated.body(), random))
        : mutated;
  }

  private static RawRequest once(RawRequest request, SplittableRandom random) {
    return switch (random.nextInt(9)) {
      case 0 -> request.withMethod(HostileInputs.method(random));
      case 1, 2 -> request.withPath(path(request.path(), random));
      case 3, 4 -> request.withQuery(query(request.query(), random));
      case 5 -> header(request, HostileInputs.header(random));
      case 6 -> frame(request, HostileInputs.frame(random));
      case 7 -> request.withoutHeader("Content-Type:");
      default ->
          request.body().length > 0
              ? request.withBody(new byte[0])
              : request
                  .withHeader(RawRequest.JSON)
                  .withBody(HostileInputs.json(random).getBytes(StandardCharsets.UTF_8));
    };
  }

  private static String path(String path, SplittableRandom random) {
    List<String> segments = new ArrayList<>(List.of(path.substring(1).split("/", -1)));
    int index = random.nextInt(segments.size());
    return switch (random.nextInt(6)) {
      case 0 -> path + "/" + HostileInputs.segment(random);
      case 1 -> "/" + path;
      case 2 -> path + "/";
      case 3 -> "http://evil.example" + path;
      default -> {
        segments.set(index, HostileInputs.segment(random));
        yield "/" + String.join("/", segments);
      }
    };
  }

  private static Map<String, String> query(Map<String, String> query, SplittableRandom random) {
    Map<String, String> mutated = new LinkedHashMap<>(query);
    int more = random.nextInt(20) == 0 ? 150 : 1 + random.nextInt(3);
    for (int i = 0; i < more; i++) {
      String ending = more > 3 ? Integer.toString(i) : "";
      mutated.put(HostileInputs.parameter(random) + ending, HostileInputs.parameterValue(random));
    }
    return mutated;
  }

  private static RawRequest header(RawRequest request, String header) {
    String name = header.substring(0, header.indexOf(':') + 1);
    RawRequest other = request.withoutHeader(name).withHeader(header);
    // Beyond the header limit the response may be lost when the server closes the connection.
    boolean tooLarge = header.length() > 16 * 1024;
    return tooLarge || name.equals("Upgrade:") || name.equals("Expect:") ? other.broken() : other;
  }

  private static RawRequest frame(RawRequest request, String line) {
    return request.withHeader(line).broken();
  }
}
