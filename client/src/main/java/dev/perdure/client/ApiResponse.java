// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** What a server answered when all was well. */
public record ApiResponse(HttpHeaders headers, JsonNode json) {

  private static final Pattern NEXT = Pattern.compile("<[^>]*[?&]after=([^&>]+)>; rel=\"next\"");

  /** Where the next page begins. */
  public Optional<String> nextCursor() {
    return headers.firstValue("Link").map(NEXT::matcher).filter(Matcher::find).map(m -> m.group(1));
  }

  /** How many there are in all; the server counts no further than 10,000. */
  public long total() {
    return headers.firstValueAsLong("X-Total-Count").orElse(0);
  }

  /** What time it is at the server's, when it says so. */
  public Optional<Instant> serverTime() {
    try {
      return headers
          .firstValue("Date")
          .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
