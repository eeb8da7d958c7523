// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.Outcome;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.policy.json.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads how an attempt ended. */
final class OutcomeForm {

  private static final String SUCCESS = "Success";
  private static final String FAILURE = "Failure";
  private static final List<String> STATUSES = List.of(SUCCESS, FAILURE);
  private static final List<String> OF_SUCCESS = List.of("result");
  private static final List<String> OF_FAILURE =
      List.of(
          "failure_reason",
          "failure_code",
          "failure_status",
          "exception_types",
          "stack",
          "retryable",
          "retry_after");
  private static final int MOST_CODE_CHARACTERS = 255;
  private static final int MOST_TYPES = 50;
  private static final int MOST_TYPE_CHARACTERS = 500;
  private static final int LEAST_STATUS = 100;
  private static final int MOST_STATUS = 599;

  private final Form form;

  private OutcomeForm(Form form) {
    this.form = form;
  }

  /** Null when the form does not say that the attempt ended. */
  static @Nullable Outcome read(Form form) {
    return new OutcomeForm(form).read();
  }

  private @Nullable Outcome read() {
    Value given = form.given("status");
    String status = given == null ? null : status(given);
    Value result = form.given("result");
    Outcome failed = failed();
    if (given == null || status != null) {
      refuseUnless(SUCCESS.equals(status), OF_SUCCESS, SUCCESS);
      refuseUnless(FAILURE.equals(status), OF_FAILURE, FAILURE);
    }
    if (SUCCESS.equals(status)) {
      return new Outcome.Succeeded(result == null ? null : result.json().toString());
    }
    return FAILURE.equals(status) ? failed : null;
  }

  /** In any case, as everywhere. */
  private static @Nullable String status(Value value) {
    String text = value.text();
    String known =
        STATUSES.stream().filter(word -> word.equalsIgnoreCase(text)).findFirst().orElse(null);
    if (text != null && known == null) {
      value.wrong(
          "an attempt ends with %s, not '%s'%s"
              .formatted(
                  String.join(" or ", STATUSES),
                  Problem.quotable(text),
                  NearestName.hint(text, STATUSES)));
    }
    return known;
  }

  private void refuseUnless(boolean right, List<String> names, String status) {
    Consumer<Value> refusal =
        value -> value.wrong("goes with the status %s only: leave it out".formatted(status));
    if (!right) {
      names.stream().map(form::given).filter(Objects::nonNull).forEach(refusal);
    }
  }

  private Outcome failed() {
    Failure failure =
        Failure.of(FailureKind.EXPLICIT)
            .withMessage(form.text("failure_reason"))
            .withCode(text(form.given("failure_code"), MOST_CODE_CHARACTERS))
            .withStatus(form.whole("failure_status", Failure.NO_STATUS, LEAST_STATUS, MOST_STATUS))
            .withExceptionTypes(types())
            .withPermanent(!form.truth("retryable", true))
            .withAskedDelay(delay());
    return new Outcome.Failed(failure, form.text("stack"));
  }

  private @Nullable Duration delay() {
    Value value = form.given("retry_after");
    return value == null ? null : value.delay();
  }

  private List<String> types() {
    Value value = form.given("exception_types");
    List<Value> items = value == null ? null : value.items(MOST_TYPES);
    List<String> types = new ArrayList<>();
    for (Value item : items == null ? List.<Value>of() : items) {
      String type = text(item, MOST_TYPE_CHARACTERS);
      if (type != null) {
        types.add(type);
      }
    }
    return types;
  }

  private static @Nullable String text(@Nullable Value value, int most) {
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return null;
    }
    if (text.isBlank() || text.length() > most || text.indexOf('\0') >= 0) {
      value.wrong("must have 1 to %d characters, none of them NUL".formatted(most));
      return null;
    }
    return text;
  }
}
