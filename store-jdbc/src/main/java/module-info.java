/** The engine's store on PostgreSQL and SQLite. */
module dev.perdure.store.jdbc {
  requires transitive dev.perdure.engine;
  requires transitive java.sql;
  requires com.zaxxer.hikari;
  requires org.postgresql.jdbc;
  requires org.slf4j;
  requires org.xerial.sqlitejdbc;
  requires static org.checkerframework.checker.qual;
  requires static org.jspecify;
  requires static spring.beans;
  requires static spring.boot.sql;

  exports dev.perdure.store.jdbc;
  exports dev.perdure.store.jdbc.access;
}
