// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationSource;
import dev.perdure.server.trace.TraceSettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpanExportTest {

  @ParameterizedTest
  @CsvSource({
    "'', '', perdure",
    "'', service.name=payments, payments",
    "orders, service.name=payments, orders",
    "perdure, service.name=payments, perdure"
  })
  void the_service_name_comes_from_the_settings(String name, String attributes, String expected) {
    Configuration configuration =
        Configuration.of(
            TraceSettings.ALL,
            List.of(
                ConfigurationSource.environment(
                    TraceSettings.ALL,
                    Map.of("OTEL_SERVICE_NAME", name, "OTEL_RESOURCE_ATTRIBUTES", attributes))));

    Resource resource = SpanExport.resource(configuration, "node", "1.0");

    assertThat(resource.getAttribute(AttributeKey.stringKey("service.name"))).isEqualTo(expected);
    assertThat(resource.getAttribute(AttributeKey.stringKey("service.version"))).isEqualTo("1.0");
  }
}
