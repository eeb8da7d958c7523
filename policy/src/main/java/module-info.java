/** Retry policies: pure data, and the pure function that decides. */
module dev.perdure.policy {
  requires static transitive org.jspecify;

  exports dev.perdure.policy;
  exports dev.perdure.policy.explain;
  exports dev.perdure.policy.simulate;
}
