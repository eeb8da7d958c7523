/** The whole engine under a simulated clock, scheduler and failing store. */
module dev.perdure.simulation {
  requires transitive dev.perdure.engine;
  requires dev.perdure.testing;
  requires static org.jspecify;

  exports dev.perdure.simulation;
}
