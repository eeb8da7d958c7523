// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Problem;
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
public final class Client implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final int LARGEST_ANSWER = 256 * 1024 * 1024;
  private static final int UNAUTHORIZED = 401;
  private static final int FIRST_ERROR = 300;

  private final String url;
  private final @Nullable String key;
  private final Supplier<Duration> left;
  private final ExecutorService questions = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT)
          .build();

  /**
   * @param key null to show none
   */
  public Client(URI url, @Nullable String key) {
    this(url, key, () -> PATIENCE);
  }

  /**
   * @param key null to show none
   * @param left how long whoever asks has still time, asked before each question
   */
  public Client(URI url, @Nullable String key, Supplier<Duration> left) {
    this.url = url.toString().replaceFirst("/+$", "");
    this.key = key;
    this.left = left;
  }

  /** Asks for what is at this path; parameters without a value are left out. */
  public Answer get(String path, Map<String, @Nullable String> query) {
    String parameters =
        query.entrySet().stream()
            .filter(entry -> entry.getValue() != null)
            .map(entry -> entry.getKey() + "=" + encoded(String.valueOf(entry.getValue())))
            .collect(Collectors.joining("&"));
    return ask("GET", parameters.isEmpty() ? path : path + "?" + parameters, null, null);
  }

  /**
   * Asks that something be done.
   *
   * @param body JSON; null for none
   */
  public Answer send(String method, String path, @Nullable String body) {
    return ask(method, path, body, null);
  }

  /**
   * Submits tasks; when the answer is lost or may be another in a while, once more. The key makes
   * that harmless.
   *
   * @param submission the key that names this submission and no other
   * @param pause waits before it is sent again
   */
  public Answer submit(String body, String submission, Runnable pause) {
    try {
      return ask("POST", "/task", body, submission);
    } catch (NoAnswerException e) {
      if (!e.mayBeDone()) {
        throw e;
      }
    } catch (RefusedException e) {
      if (!e.passes()) {
        throw e;
      }
    }
    pause.run();
    try {
      return ask("POST", "/task", body, submission);
    } catch (NoAnswerException e) {
      throw new NoAnswerException(e.getMessage() + repeatable(submission), e);
    } catch (RefusedException e) {
      throw e.passes() ? new NoAnswerException(e.words() + repeatable(submission), e) : e;
    }
  }

  private static String repeatable(String submission) {
    return "; send it again with --idempotency-key %s, and it is not done twice"
        .formatted(submission);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private Answer ask(
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
    return inTime(request.build());
  }

  /** The HTTP client's own limit ends with the headers; a body may take for ever. */
  private Answer inTime(HttpRequest request) {
    Duration patience = patience();
    Future<Answer> answer = questions.submit(() -> answer(request));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      String length = DurationText.format(patience);
      throw NoAnswerException.maybeDone("%s has not answered for %s".formatted(url, length), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswerException("interrupted while waiting for " + url, e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private Duration patience() {
    Duration given = left.get();
    Duration shorter = given.compareTo(PATIENCE) < 0 ? given : PATIENCE;
    return shorter.compareTo(LEAST) < 0 ? LEAST : shorter;
  }

  private Answer answer(HttpRequest request) {
    try {
      HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
      byte[] body = body(response);
      if (response.statusCode() >= FIRST_ERROR) {
        throw refused(response.statusCode(), parsed(body));
      }
      JsonNode json = parsed(body);
      if (json.isMissingNode()) {
        throw new NoAnswerException(url + " answers, but not in JSON: is it a perdure server?");
      }
      return new Answer(response.headers(), json);
    } catch (IOException e) {
      throw notAnswered(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswerException("interrupted while waiting for " + url, e);
    }
  }

  private byte[] body(HttpResponse<InputStream> response) throws IOException {
    try (InputStream in = response.body()) {
      byte[] body = in.readNBytes(LARGEST_ANSWER + 1);
      if (body.length > LARGEST_ANSWER) {
        throw new NoAnswerException(
            "%s sends more than %d bytes: ask for less".formatted(url, LARGEST_ANSWER));
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

  private RuntimeException refused(int status, JsonNode document) {
    if (document.path("title").isMissingNode()) {
      return new NoAnswerException(
          "%s answers %d, but not as a perdure server does".formatted(url, status));
    }
    List<Problem> problems = new ArrayList<>();
    for (JsonNode error : document.path("errors")) {
      problems.add(
          new Problem(error.path("path").asString(""), error.path("message").asString("")));
    }
    if (problems.isEmpty()) {
      String advice =
          status != UNAUTHORIZED
              ? ""
              : key == null
                  ? " (give it with --key or PERDURE_KEY)"
                  : " (--key or PERDURE_KEY has it)";
      problems.add(new Problem("", document.path("detail").asString("") + advice));
    }
    return new RefusedException(status, problems);
  }

  private NoAnswerException notAnswered(IOException e) {
    String where = "--url or PERDURE_URL names another";
    if (e instanceof HttpConnectTimeoutException) {
      return new NoAnswerException(
          "no server answers at %s within %d s; %s".formatted(url, CONNECT.toSeconds(), where), e);
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
      return new NoAnswerException(nobody.formatted(url, where), e);
    }
    return NoAnswerException.maybeDone("%s broke off: %s".formatted(url, e.getMessage()), e);
  }

  @Override
  public void close() {
    // Whoever closes it has the answers that were wanted, or waits for none any more.
    questions.shutdownNow();
    http.shutdownNow();
  }
}
