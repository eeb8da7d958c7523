// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.FieldError;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Asks a server, each question once: what was done although its answer was lost is not repeated.
 * Only a submission is, under its key.
 */
public final class PerdureClient implements AutoCloseable {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
  private static final int MAX_RESPONSE_BYTES = 256 * 1024 * 1024;
  private static final int UNAUTHORIZED = 401;
  private static final int FIRST_ERROR = 300;

  private final String url;
  private final @Nullable String key;
  private final Supplier<Duration> remaining;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT_TIMEOUT)
          .build();

  /**
   * @param key null to show none
   */
  public PerdureClient(URI url, @Nullable String key) {
    this(url, key, () -> DEFAULT_TIMEOUT);
  }

  /**
   * @param key null to show none
   * @param left how long whoever asks has still time, asked before each question
   */
  public PerdureClient(URI url, @Nullable String key, Supplier<Duration> left) {
    this.url = url.toString().replaceFirst("/+$", "");
    this.key = key;
    this.remaining = left;
  }

  /** Asks for what is at this path; parameters without a value are left out. */
  public ApiResponse get(String path, Map<String, @Nullable String> query) {
    String parameters =
        query.entrySet().stream()
            .filter(entry -> entry.getValue() != null)
            .map(entry -> entry.getKey() + "=" + encoded(String.valueOf(entry.getValue())))
            .collect(Collectors.joining("&"));
    return request("GET", parameters.isEmpty() ? path : path + "?" + parameters, null, null);
  }

  /**
   * Asks that something be done.
   *
   * @param body JSON; null for none
   */
  public ApiResponse send(String method, String path, @Nullable String body) {
    return request(method, path, body, null);
  }

  /**
   * Submits tasks; when the answer is lost or may be another in a while, once more. The key makes
   * that harmless.
   *
   * @param submission the key that names this submission and no other
   * @param pause waits before it is sent again
   */
  public ApiResponse submit(String body, String submission, Runnable pause) {
    try {
      return request("POST", "/task", body, submission);
    } catch (TransportException e) {
      if (!e.isOutcomeUnknown()) {
        throw e;
      }
    } catch (ApiException e) {
      if (!e.isTemporary()) {
        throw e;
      }
    }
    pause.run();
    try {
      return request("POST", "/task", body, submission);
    } catch (TransportException e) {
      throw new TransportException(e.getMessage() + resendHint(submission), e);
    } catch (ApiException e) {
      throw e.isTemporary() ? new TransportException(e.summary() + resendHint(submission), e) : e;
    }
  }

  private static String resendHint(String submission) {
    return "; send it again with --idempotency-key %s, and it is not done twice"
        .formatted(submission);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private ApiResponse request(
      String method, String target, @Nullable String body, @Nullable String submission) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + target));
    request.header("Accept", "application/json");
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    if (submission != null) {
      request.header("Idempotency-Key", submission);
    }
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofString(body));
    }
    return withTimeout(request.build());
  }

  /** The HTTP client's own limit ends with the headers; a body may take for ever. */
  private ApiResponse withTimeout(HttpRequest request) {
    Duration patience = timeout();
    Future<ApiResponse> answer = executor.submit(() -> exchange(request));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      String length = DurationText.format(patience);
      throw TransportException.unknownOutcome(
          "%s has not answered for %s".formatted(url, length), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException("interrupted while waiting for " + url, e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private Duration timeout() {
    Duration given = remaining.get();
    Duration shorter = given.compareTo(DEFAULT_TIMEOUT) < 0 ? given : DEFAULT_TIMEOUT;
    return shorter.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : shorter;
  }

  private ApiResponse exchange(HttpRequest request) {
    try {
      HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
      byte[] body = body(response);
      if (response.statusCode() >= FIRST_ERROR) {
        throw apiError(response.statusCode(), parsed(body));
      }
      JsonNode json = parsed(body);
      if (json.isMissingNode()) {
        throw new TransportException(url + " answers, but not in JSON: is it a perdure server?");
      }
      return new ApiResponse(response.headers(), json);
    } catch (IOException e) {
      throw transportError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException("interrupted while waiting for " + url, e);
    }
  }

  private byte[] body(HttpResponse<InputStream> response) throws IOException {
    try (InputStream in = response.body()) {
      byte[] body = in.readNBytes(MAX_RESPONSE_BYTES + 1);
      if (body.length > MAX_RESPONSE_BYTES) {
        throw new TransportException(
            "%s sends more than %d bytes: ask for less".formatted(url, MAX_RESPONSE_BYTES));
      }
      return body;
    }
  }

  /** Missing when it is no JSON. */
  private static JsonNode parsed(byte[] body) {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }

  private RuntimeException apiError(int status, JsonNode document) {
    if (document.path("title").isMissingNode()) {
      return new TransportException(
          "%s answers %d, but not as a perdure server does".formatted(url, status));
    }
    List<FieldError> fieldErrors = new ArrayList<>();
    for (JsonNode error : document.path("errors")) {
      fieldErrors.add(
          new FieldError(error.path("path").asString(""), error.path("message").asString("")));
    }
    if (fieldErrors.isEmpty()) {
      String advice =
          status != UNAUTHORIZED
              ? ""
              : key == null
                  ? " (give it with --key or PERDURE_KEY)"
                  : " (--key or PERDURE_KEY has it)";
      fieldErrors.add(new FieldError("", document.path("detail").asString("") + advice));
    }
    return new ApiException(status, fieldErrors);
  }

  private TransportException transportError(IOException e) {
    String where = "--url or PERDURE_URL names another";
    if (e instanceof HttpConnectTimeoutException) {
      return new TransportException(
          "no server answers at %s within %d s; %s"
              .formatted(url, CONNECT_TIMEOUT.toSeconds(), where),
          e);
    }
    if (e instanceof ConnectException) {
      boolean unknown =
          e.getCause() instanceof UnresolvedAddressException
              || (e.getCause() != null
                  && e.getCause().getCause() instanceof UnresolvedAddressException);
      String nobody =
          unknown
              ? "there is no machine of the name in %s; %s"
              : "no server answers at %s: start one with 'serve'; %s";
      return new TransportException(nobody.formatted(url, where), e);
    }
    return TransportException.unknownOutcome("%s broke off: %s".formatted(url, e.getMessage()), e);
  }

  @Override
  public void close() {
    // Whoever closes it has the answers that were wanted, or waits for none any more.
    executor.shutdownNow();
    http.shutdownNow();
  }
}
