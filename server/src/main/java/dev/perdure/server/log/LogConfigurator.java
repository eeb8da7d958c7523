// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.perdure.server.config.LogFormat;
import org.slf4j.event.Level;

/**
 * Configures Logback in code when the first logger is created. Logback finds it as a service, so it
 * neither looks for a {@code logback.xml} nor parses one, which would slow down every start.
 *
 * <p>Until {@link Logging#configure} is called the log is text at level {@code info} on standard
 * error.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    Logging.install(context, LogFormat.TEXT, Level.INFO);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
