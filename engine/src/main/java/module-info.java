/** Tasks that survive: their states, the store behind them, the workers. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer has no descriptor.
module dev.perdure.engine {
  requires transitive dev.perdure.policy;
  requires transitive dev.perdure.policy.json;
  requires org.slf4j;
  requires static transitive micrometer.core;
  requires static transitive org.jspecify;

  exports dev.perdure.engine;
  exports dev.perdure.engine.micrometer;
  exports dev.perdure.engine.store;
  exports dev.perdure.engine.task;
}
