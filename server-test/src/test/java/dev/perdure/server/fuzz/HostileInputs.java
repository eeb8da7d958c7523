// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Inputs that are malformed, oversized or malicious. */
final class HostileInputs {

  /** Half of a surrogate pair, as a JSON escape. */
  static final String UNPAIRED_SURROGATE = "\\ud800";

  /** JSON values as text; some are not JSON. */
  private static final List<String> JSON =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "-0",
          "1.5",
          "1e400",
          "1e-400",
          "1e999999999",
          "1e99999999999",
          "-1e-99999999999",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775809",
          "2147483648",
          "9".repeat(99),
          "9".repeat(2_000),
          "0x10",
          "NaN",
          "Infinity",
          "01",
          "\"\"",
          "\" \"",
          "\"0s\"",
          "\"1ms\"",
          "\"-5m\"",
          "\"PT0S\"",
          "\"5 minutes\"",
          "\"99999999999999d\"",
          "\"2026-02-30T00:00:00Z\"",
          "\"+999999999-12-31T23:59:59Z\"",
          "\"-999999999-01-01T00:00:00Z\"",
          "\"0000-01-01T00:00:00Z\"",
          "\"1970-01-01T00:00:00+18:00\"",
          "\"\\u0000\"",
          "\"a\\u0000b\"",
          "\"\\ud800\"",
          "\"\\udc00\\ud800\"",
          "\"\\uffff\"",
          "\"𝒳\u202e\"",
          "\"\\u001b[2J\\r\\nSet-Cookie: a=b\"",
          "\"%s %n %x ${jndi:ldap://127.0.0.1/a} {{task.id}}\"",
          "\"'; DROP TABLE perdure_task; --\"",
          "\"../../etc/passwd\"",
          "\"http://127.0.0.1:1/\"",
          "\"" + "x".repeat(300) + "\"",
          "\"" + "é".repeat(70_000) + "\"",
          "\"" + "語".repeat(270_000) + "\"",
          "[]",
          "{}",
          "[[]]",
          "[null]",
          "{\"\": null}",
          "{\"a\": 1, \"a\": 2}",
          "[".repeat(99) + "]".repeat(99),
          "[".repeat(5_000) + "]".repeat(5_000),
          "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000),
          "[" + "0,".repeat(20_000) + "0]",
          "\"unterminated",
          "'single'",
          "// comment",
          "undefined");

  private static final List<String> SEGMENTS =
      List.of(
          "0",
          "-1",
          "null",
          ".",
          "..",
          "...",
          "%2e%2e",
          "%2E%2E%2f%2E%2E",
          "%2f",
          "%5c",
          "%00",
          "%",
          "%zz",
          "%c0%ae",
          "%ff%fe",
          "%F0%9F%92%A9",
          "a;b=c",
          ";jsessionid=1",
          "*",
          "{id}",
          "'",
          "%27%20OR%201=1--",
          "%0d%0aX-Injected:%20yes",
          "é",
          "x".repeat(300),
          "x".repeat(7_000),
          "00000000-0000-0000-0000-000000000000",
          "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
          "1-1-1-1-1",
          "{00000000-0000-0000-0000-000000000000}",
          "00000000-0000-0000-0000-00000000000g");

  private static final List<String> METHODS =
      List.of(
          "GET",
          "HEAD",
          "POST",
          "PUT",
          "PATCH",
          "DELETE",
          "OPTIONS",
          "TRACE",
          "get",
          "PROPFIND",
          "X".repeat(200));

  private static final List<String> PARAMETERS =
      List.of(
          "status",
          "kind",
          "name",
          "batch_id",
          "metadata",
          "failure_kind",
          "give_up_reason",
          "created_after",
          "created_before",
          "q",
          "page",
          "page_size",
          "after",
          "sort",
          "within",
          "strategy",
          "handle",
          "task",
          "trigger",
          "subject",
          "state",
          "limit",
          "unknown",
          "",
          "%00",
          "status[]",
          "x".repeat(300));

  private static final List<String> PARAMETER_VALUES =
      List.of(
          "",
          "0",
          "-1",
          "1",
          "99999999999999999999",
          "1e3",
          "Pending",
          "pending,failure",
          "paused,Pending",
          ",",
          ",,,",
          "%2C",
          "%",
          "%4",
          "%gg",
          "%00",
          "%ff",
          "%ed%a0%80",
          "+",
          "a+b",
          "a=b=c",
          "24h",
          "2026-01-01T00:00:00Z",
          "2026-01-01T00:00:00%2B18:00",
          "9999999-01-01T00:00:00Z",
          "%7B%22a%22:1%7D",
          "%7B%22a%22:1e99999999999%7D",
          "%25%25_%5C",
          "'%20OR%20'1'='1",
          "ph1.k1.1." + "A".repeat(43),
          "00000000-0000-0000-0000-000000000000",
          "x".repeat(2_000));

  private static final List<String> HEADERS =
      List.of(
          "Content-Type: text/plain",
          "Content-Type: application/json; charset=utf-16",
          "Content-Type: application/json, text/html",
          "Content-Type: multipart/form-data; boundary=x",
          "Content-Type:",
          "Content-Encoding: gzip",
          "Content-Encoding: identity",
          "Accept: application/xml",
          "Accept: " + "a/b,".repeat(500),
          "Accept-Encoding: gzip, br",
          "Expect: 100-continue",
          "Expect: tea",
          "Range: bytes=0-0",
          "If-Match: *",
          "If-None-Match: \"x\"",
          "Origin: null",
          "Origin: http://evil.example",
          "Sec-Fetch-Site: cross-site",
          "Authorization: Bearer " + "x".repeat(300),
          "Authorization: Basic Og==",
          "Authorization:",
          "Cookie: a=b; " + "c=d; ".repeat(200),
          "X-Forwarded-For: 127.0.0.1",
          "X-Forwarded-Host: evil.example",
          "X-HTTP-Method-Override: DELETE",
          "X-Batch-ID: '; --",
          "Idempotency-Key: " + "k".repeat(1_000),
          "traceparent: 00-zz-zz-zz",
          "Last-Event-ID: 99",
          "Upgrade: websocket",
          "Host: evil.example",
          "Host: 127.0.0.1:99999",
          "Host: [::1",
          "Referer: http://evil.example/",
          "X-Long: " + "x".repeat(5_000),
          "X-Endless: " + "x".repeat(20_000),
          "X-Latin: caf\u00e9",
          "HTTP2-Settings: AAMAAABkAAQAAP__");

  /** Headers that may break the HTTP framing. */
  private static final List<String> FRAMES =
      List.of(
          "Content-Length: -1",
          "Content-Length: 99999999999999999999",
          "Content-Length: 3",
          "Content-Length: abc",
          "Content-Length: 5\r\nContent-Length: 6",
          "Content-Length: 2097153",
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: chunked\r\nContent-Length: 4",
          "Transfer-Encoding: gzip, chunked",
          "Transfer-Encoding: identity",
          "Host: a\r\nHost: b",
          "X-Nul: a\u0000b",
          "X-Folded: a\r\n b",
          " X-Indented: a",
          "X Space: a",
          ": nameless",
          "nocolon",
          "X-Bare: a\nX-Feed: b",
          "X-Many: y\r\n".repeat(2_000) + "X-Many: y");

  private HostileInputs() {}

  static String json(SplittableRandom random) {
    return any(JSON, random);
  }

  static Stream<String> everyJson() {
    return JSON.stream();
  }

  static String segment(SplittableRandom random) {
    return any(SEGMENTS, random);
  }

  static String method(SplittableRandom random) {
    return any(METHODS, random);
  }

  static String parameter(SplittableRandom random) {
    return any(PARAMETERS, random);
  }

  static String parameterValue(SplittableRandom random) {
    return any(PARAMETER_VALUES, random);
  }

  static String header(SplittableRandom random) {
    return any(HEADERS, random);
  }

  static String frame(SplittableRandom random) {
    return any(FRAMES, random);
  }

  static <T> T any(List<T> pool, SplittableRandom random) {
    return pool.get(random.nextInt(pool.size()));
  }
}
