// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static dev.perdure.client.TransportException.Reason;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.FieldError;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

/** Sends each request once, and turns everything but a JSON response into an exception. */
final class HttpTransport implements AutoCloseable {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
  private static final int MAX_RESPONSE_BYTES = 256 * 1024 * 1024;
  private static final int NO_CONTENT = 204;
  private static final int FIRST_ERROR = 300;
  private static final int FIRST_SERVER_ERROR = 500;
  private static final Set<Integer> GATEWAY_ERRORS = Set.of(502, 503, 504);

  private final String url;
  private final @Nullable String apiKey;
  private final Supplier<Duration> timeout;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT_TIMEOUT)
          .build();

  HttpTransport(URI url, @Nullable String apiKey, Supplier<Duration> timeout) {
    this.url = url.toString().replaceFirst("/+$", "");
    this.apiKey = apiKey;
    this.timeout = timeout;
  }

  /**
   * Sends a request and waits for the whole response.
   *
   * @param target path and query
   * @param serverWait how long the server itself may hold the response back
   */
  ApiResponse exchange(
      String method,
      String target,
      @Nullable String body,
      @Nullable String idempotencyKey,
      Duration serverWait) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + target));
    request.header("Accept", "application/json");
    if (apiKey != null) {
      request.header("Authorization", "Bearer " + apiKey);
    }
    if (idempotencyKey != null) {
      request.header("Idempotency-Key", idempotencyKey);
    }
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofString(body));
    }
    return withTimeout(request.build(), timeout.get().plus(serverWait));
  }

  /** The HTTP client's own timeout ends with the headers; the body could take forever. */
  private ApiResponse withTimeout(HttpRequest request, Duration time) {
    Duration limit = time.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : time;
    Future<ApiResponse> response = submit(() -> exchange(request));
    try {
      return response.get(TimeUnit.NANOSECONDS.convert(limit), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      String message = "%s did not answer within %s".formatted(url, DurationText.format(limit));
      throw new TransportException(Reason.TIMEOUT, message, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    } finally {
      response.cancel(true);
    }
  }

  private <T> Future<T> submit(Callable<T> work) {
    try {
      return executor.submit(work);
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException("the client is closed", e);
    }
  }

  private TransportException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new TransportException(Reason.INTERRUPTED, "interrupted while waiting for " + url, e);
  }

  private ApiResponse exchange(HttpRequest request) {
    try {
      HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
      JsonNode json = parse(body(response));
      if (response.statusCode() >= FIRST_ERROR) {
        throw problem(response, json);
      }
      if (response.statusCode() == NO_CONTENT) {
        return new ApiResponse(response.headers(), JsonNodeFactory.instance.arrayNode());
      }
      if (json.isMissingNode()) {
        throw unexpected("%s did not answer in JSON: is it a Perdure server?".formatted(url));
      }
      return new ApiResponse(response.headers(), json);
    } catch (IOException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static TransportException unexpected(String message) {
    return new TransportException(Reason.UNEXPECTED_RESPONSE, message, null);
  }

  private byte[] body(HttpResponse<InputStream> response) throws IOException {
    try (InputStream in = response.body()) {
      byte[] body = in.readNBytes(MAX_RESPONSE_BYTES + 1);
      if (body.length > MAX_RESPONSE_BYTES) {
        throw unexpected(
            "%s sent more than %d bytes: ask for smaller pages".formatted(url, MAX_RESPONSE_BYTES));
      }
      return body;
    }
  }

  /** A missing node when the body is not JSON. */
  private static JsonNode parse(byte[] body) {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }

  private RuntimeException problem(HttpResponse<?> response, JsonNode document) {
    int status = response.statusCode();
    if (document.path("title").isMissingNode()) {
      return foreign(status);
    }
    List<FieldError> errors = new ArrayList<>();
    for (JsonNode error : document.path("errors")) {
      errors.add(
          new FieldError(error.path("path").asString(""), error.path("message").asString("")));
    }
    return new ApiException(
        status,
        document.path("title").asString(""),
        document.path("detail").asString(""),
        errors,
        retryAfter(response));
  }

  /** Null for a date, which a Perdure server does not send. */
  private static @Nullable Duration retryAfter(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .filter(text -> text.matches("\\d{1,9}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)))
        .orElse(null);
  }

  /** An error that does not come from a Perdure server. */
  private TransportException foreign(int status) {
    if (GATEWAY_ERRORS.contains(status)) {
      String message = "%s answered %d: a gateway cannot reach the server".formatted(url, status);
      return new TransportException(Reason.CONNECTION_LOST, message, null);
    }
    String message = "%s answered %d: is it a Perdure server?".formatted(url, status);
    boolean outcomeUnknown = status >= FIRST_SERVER_ERROR;
    return new TransportException(Reason.UNEXPECTED_RESPONSE, outcomeUnknown, message, null);
  }

  private TransportException failure(IOException e) {
    if (e instanceof HttpConnectTimeoutException) {
      String message =
          "cannot connect to %s within %d s".formatted(url, CONNECT_TIMEOUT.toSeconds());
      return new TransportException(Reason.NOT_CONNECTED, message, e);
    }
    if (!(e instanceof ConnectException)) {
      String message = "the connection to %s was lost: %s".formatted(url, e.getMessage());
      return new TransportException(Reason.CONNECTION_LOST, message, e);
    }
    return isUnresolved(e)
        ? new TransportException(Reason.UNKNOWN_HOST, "the host of %s is unknown".formatted(url), e)
        : new TransportException(Reason.NOT_CONNECTED, "cannot connect to " + url, e);
  }

  private static boolean isUnresolved(Throwable e) {
    Throwable cause = e.getCause();
    return cause != null && (cause instanceof UnresolvedAddressException || isUnresolved(cause));
  }

  /** Aborts running requests. */
  @Override
  public void close() {
    executor.shutdownNow();
    http.shutdownNow();
  }
}
