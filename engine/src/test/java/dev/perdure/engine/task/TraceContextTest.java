// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final String VALID = "00-" + TRACE + "-" + SPAN + "-01";

  @Nested
  class Traceparent {

    @Test
    void holds_the_trace_the_span_and_the_sampled_flag() {
      assertThat(TraceContext.parse(VALID)).contains(new TraceContext(TRACE, SPAN, true, null));
      assertThat(TraceContext.parse("00-" + TRACE + "-" + SPAN + "-00"))
          .contains(new TraceContext(TRACE, SPAN, false, null));
    }

    @ParameterizedTest
    @CsvSource({"01,01", "03,01", "ff,01", "00,00", "02,00", "fe,00"})
    void only_the_sampled_flag_is_passed_on(String flags, String passedOn) {
      TraceContext read =
          TraceContext.parse("00-" + TRACE + "-" + SPAN + "-" + flags).orElseThrow();

      assertThat(read.traceparent()).isEqualTo("00-" + TRACE + "-" + SPAN + "-" + passedOn);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "01-" + TRACE + "-" + SPAN + "-01",
          "cc-" + TRACE + "-" + SPAN + "-01-what-the-future-will-be-like",
          "fe-" + TRACE + "-" + SPAN + "-01-"
        })
    void a_later_version_is_read_as_far_as_it_is_known(String later) {
      assertThat(TraceContext.parse(later)).contains(new TraceContext(TRACE, SPAN, true, null));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          " ",
          "-",
          "---",
          "00",
          "00-",
          "00-" + TRACE,
          "00-" + TRACE + "-" + SPAN,
          "00-" + TRACE + "-" + SPAN + "-",
          "00-" + TRACE + "-" + SPAN + "-1",
          "00-" + TRACE + "-" + SPAN + "-001",
          "00-" + TRACE + "-" + SPAN + "-01-",
          "00-" + TRACE + "-" + SPAN + "-01-more",
          "00-" + TRACE + "-" + SPAN + "-01.",
          "00-" + TRACE + "-" + SPAN + "-0g",
          "00-" + TRACE + "-" + SPAN + "-0A",
          "01-" + TRACE + "-" + SPAN + "-01.more",
          "01-" + TRACE + "-" + SPAN + "-011",
          "ff-" + TRACE + "-" + SPAN + "-01",
          "0-" + TRACE + "-" + SPAN + "-01",
          "000-" + TRACE + "-" + SPAN + "-01",
          ".0-" + TRACE + "-" + SPAN + "-01",
          "0A-" + TRACE + "-" + SPAN + "-01",
          "00_" + TRACE + "_" + SPAN + "_01",
          "00-00000000000000000000000000000000-" + SPAN + "-01",
          "00-" + TRACE + "-0000000000000000-01",
          "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + SPAN + "-01",
          "00-" + TRACE + "-00F067AA0BA902B7-01",
          "00-4bf92f3577b34da6a3ce929d0e0e473-" + SPAN + "-01",
          "00-4bf92f3577b34da6a3ce929d0e0e47366-" + SPAN + "-01",
          "00-4bf92f3577b34da6a3ce929d0e0e473g-" + SPAN + "-01",
          "00-4bf92f3577b34da6a3ce929d0e0e473６-" + SPAN + "-01",
          "00-" + TRACE + "-00f067aa0ba902b-01",
          "00-" + TRACE + "-00f067aa0ba902b77-01",
          "00-" + TRACE + "-00f067aa0ba902b.-01",
          " 00-" + TRACE + "-" + SPAN + "-01",
          "00-" + TRACE + "-" + SPAN + "-01 ",
          "00-" + TRACE + "-" + SPAN + "-01\n",
          "00-" + TRACE + "-" + SPAN + "-01,00-" + TRACE + "-" + SPAN + "-01"
        })
    void a_malformed_value_is_ignored(String malformed) {
      assertThat(TraceContext.parse(malformed)).isEmpty();
      assertThat(TraceContext.parse(malformed, "rojo=1")).isEmpty();
    }

    /** Every mutation that is accepted is well-formed and is written back with the same ids. */
    @Test
    void a_mutated_value_is_accepted_only_if_it_is_well_formed() {
      long seed = 20_261_116;
      Random random = new Random(seed);
      String characters = "0123456789abcdefABCDEFxz-_. \t,\u0000é";
      for (int i = 0; i < 20_000; i++) {
        StringBuilder text = new StringBuilder(VALID);
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
          int index = random.nextInt(text.length());
          char character = characters.charAt(random.nextInt(characters.length()));
          switch (random.nextInt(3)) {
            case 0 -> text.setCharAt(index, character);
            case 1 -> text.insert(index, character);
            default -> text.deleteCharAt(index);
          }
        }
        String given = text.toString();
        TraceContext.parse(given)
            .ifPresent(
                read ->
                    assertThat(given)
                        .as("seed %d", seed)
                        .startsWith(given.substring(0, 2) + read.traceparent().substring(2, 52))
                        .matches("(?!ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?"));
      }
    }

    @Test
    void the_constructor_refuses_an_all_zero_trace_id_and_upper_case_hex() {
      assertThatThrownBy(() -> new TraceContext("0".repeat(32), SPAN, true, null))
          .hasMessageContaining("not all 0");
      assertThatThrownBy(() -> new TraceContext(TRACE, "00F067AA0BA902B7", true, null))
          .hasMessageContaining("lower-case");
    }
  }

  @Nested
  class Tracestate {

    private @Nullable String read(String state) {
      return TraceContext.parse(VALID, state).orElseThrow().state();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "rojo=1 | rojo=1",
          "'rojo=00f0 , congo=t6\t' | rojo=00f0,congo=t6",
          "',,rojo=1,,' | rojo=1",
          "1t@v=a b | 1t@v=a b",
          "a_*/-9=!\"#$~ | a_*/-9=!\"#$~"
        })
    void a_valid_value_is_normalized_and_passed_on(String given, String kept) {
      assertThat(read(given)).isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "rojo",
          "=1",
          "rojo=",
          "Rojo=1",
          "1rojo=1",
          "rojo=1=2",
          "rojo =1",
          "rojo=1,rojo=2",
          "t@=1",
          "t@1=1",
          "rojo=é",
          "rojo=\u0001",
          "",
          " ",
          ","
        })
    void a_malformed_value_is_dropped_and_the_parent_is_kept(String malformed) {
      assertThat(read(malformed)).isNull();
      assertThat(TraceContext.parse(VALID, malformed))
          .contains(new TraceContext(TRACE, SPAN, true, null));
    }

    @Test
    void a_value_with_more_than_32_members_is_dropped() {
      assertThat(read(members(32))).isEqualTo(members(32));
      assertThat(read(members(33))).isNull();
    }

    private static String members(int count) {
      return IntStream.range(0, count)
          .mapToObj(i -> "k" + i + "=1")
          .collect(Collectors.joining(","));
    }

    @Test
    void a_value_that_is_too_long_loses_its_longest_members_first_and_then_the_last() {
      String longest = "long=" + "x".repeat(200);
      String middle =
          IntStream.range(0, 6)
              .mapToObj(i -> "m" + i + "=" + "y".repeat(90))
              .collect(Collectors.joining(","));

      assertThat(read(longest + ",a=1")).isEqualTo(longest + ",a=1");
      assertThat(read(longest + "," + middle))
          .hasSizeLessThanOrEqualTo(512)
          .startsWith("m0=")
          .contains("m4=")
          .doesNotContain("long=", "m5=");
    }
  }

  @Nested
  class StoredText {

    @Test
    void reads_back_as_the_same_context() {
      TraceContext both = TraceContext.parse(VALID, "rojo=a b,congo=1").orElseThrow();
      TraceContext alone = TraceContext.parse(VALID).orElseThrow();

      assertThat(TraceContext.ofText(both.text())).isEqualTo(both);
      assertThat(TraceContext.ofText(alone.text())).isEqualTo(alone);
      assertThat(TraceContext.ofText(null)).isNull();
    }
  }

  @Nested
  class DerivedTrace {

    @Test
    void every_task_has_its_own_trace_and_every_lease_its_own_span() {
      Set<String> traces = new HashSet<>();
      Set<String> spans = new HashSet<>();
      for (int i = 0; i < 1_000; i++) {
        UUID task = new UUID(0x0199_0000_0000_7000L + i / 10, Long.MIN_VALUE + ((long) i << 12));
        TraceContext trace = TraceContext.of(task);
        traces.add(trace.traceId());
        for (long epoch = 1; epoch <= 5; epoch++) {
          TraceContext span = trace.at(new LeaseKey(task, epoch));
          assertThat(span.traceId()).isEqualTo(trace.traceId());
          assertThat(span).isEqualTo(TraceContext.of(task).at(new LeaseKey(task, epoch)));
          spans.add(span.spanId());
        }
      }
      assertThat(traces).hasSize(1_000);
      assertThat(spans).hasSize(5_000);
    }

    /** Ratio samplers use these bits, and some bits of a task id are the same in every id. */
    @Test
    void the_last_bits_of_trace_ids_are_evenly_distributed() {
      long seed = 7;
      Random random = new Random(seed);
      int inFirstQuarter = 0;
      for (int i = 0; i < 10_000; i++) {
        long low = Long.MIN_VALUE | (random.nextLong() & 0x3fff_ffff_ffff_f000L);
        String trace = TraceContext.of(new UUID(0x0199_aaaa_bbbb_7000L, low)).traceId();
        long last = Long.parseUnsignedLong(trace.substring(16), 16) & Long.MAX_VALUE;
        inFirstQuarter += last < Long.MAX_VALUE / 4 ? 1 : 0;
      }
      assertThat(inFirstQuarter).as("seed %d", seed).isBetween(2_350, 2_650);
    }

    @Test
    void an_all_zero_task_id_has_a_valid_trace() {
      assertThat(TraceContext.of(new UUID(0, 0)).traceId()).isEqualTo("0".repeat(31) + "1");
    }
  }
}
