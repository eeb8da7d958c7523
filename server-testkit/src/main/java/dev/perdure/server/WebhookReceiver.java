// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A callee on this machine that records calls and replies as its script says. */
public final class WebhookReceiver implements AutoCloseable {

  /** The allow-list entry for this machine. */
  public static final String ALLOWED = "127.0.0.1";

  private static final int TIMEOUT_SECONDS = 30;
  private static final int BACKLOG = 1_000;

  private final HttpServer server;
  private final BlockingQueue<ReceivedCall> receivedCalls = new LinkedBlockingQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private volatile ReplyScript script;

  /** Decides the reply to a call. */
  public interface ReplyScript {
    Reply reply(ReceivedCall call) throws InterruptedException;
  }

  /** A reply. */
  public record Reply(int status, Map<String, String> headers, String body) {

    public static Reply of(int status) {
      return new Reply(status, Map.of(), "");
    }

    public static Reply of(int status, String body) {
      return new Reply(status, Map.of(), body);
    }
  }

  /** A received call; header names are in lower case. */
  public record ReceivedCall(
      String method,
      String path,
      Map<String, String> query,
      Map<String, String> headers,
      String body) {

    /** The callback URL. */
    public URI handle() {
      String handle = query.get("handle");
      if (handle == null) {
        throw new AssertionError("the call has no handle: " + query);
      }
      return URI.create(handle);
    }

    /** The path and query of the callback URL. */
    public String target() {
      return handle().getRawPath() + "?" + handle().getRawQuery();
    }

    public String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    public JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  private WebhookReceiver(HttpServer server, ReplyScript script) {
    this.server = server;
    this.script = script;
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  public static WebhookReceiver replyingWith(ReplyScript script) {
    return at(0, script);
  }

  public static WebhookReceiver at(int port, ReplyScript script) {
    try {
      InetAddress here = InetAddress.getLoopbackAddress();
      return new WebhookReceiver(
          HttpServer.create(new InetSocketAddress(here, port), BACKLOG), script);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replies 200 to every call. */
  public static WebhookReceiver replyingOk() {
    return replyingWith(call -> Reply.of(200));
  }

  /** Changes the script for later calls. */
  public void replyWith(ReplyScript value) {
    script = value;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> headers = new HashMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
      ReceivedCall call =
          new ReceivedCall(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              query(exchange.getRequestURI().getRawQuery()),
              headers,
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      count.incrementAndGet();
      // Read it before publishing the call: a test that sees the call may change the script.
      ReplyScript current = script;
      receivedCalls.add(call);
      reply(exchange, current.reply(call));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new HashMap<>();
    for (String pair : text == null ? new String[0] : text.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return query;
  }

  private static void reply(HttpExchange exchange, Reply reply) throws IOException {
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    reply.headers().forEach(exchange.getResponseHeaders()::add);
    exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  /** Waits for the next call, in the order of arrival. */
  public ReceivedCall next() throws InterruptedException {
    ReceivedCall call = receivedCalls.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (call == null) {
      throw new AssertionError("no call arrived");
    }
    return call;
  }

  /** Waits for the next call to this path; skips others. */
  public ReceivedCall next(String path) throws InterruptedException {
    ReceivedCall call = next();
    while (!call.path().equals(path)) {
      call = next();
    }
    return call;
  }

  /** The number of calls so far. */
  public int count() {
    return count.get();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  /** An action that calls this path; {@code more} is appended to its params. */
  public String action(String path, String more) {
    return """
        {"kind": "Webhook", "params": {"url": "%s", "verb": "Post"%s}}"""
        .formatted(url(path), more);
  }

  public String action(String path) {
    return action(path, "");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
