#!/usr/bin/env bash
# kysely 0.29.9, adapter for Postgres: a Migrator that is given a transaction still takes a lock of the session (pg_advisory_lock). When a
# migration fails, the unlock is refused in the aborted transaction: its error hides that of the migration, and the rollback leaves the lock
# with the connection, so that other processes cannot migrate until it is closed. Without a failure the lock is given back.
# Seen (PGlite 0.5.17): advisory locks held afterwards: 'whole' 0, 'failing' 1.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund kysely@0.29.9 @electric-sql/pglite@0.5.17 >/dev/null
cat > try.mjs <<'JS'
import assert from 'node:assert/strict'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresAdapter, sql } from 'kysely'
import { Migrator } from 'kysely/migration'

// PGlite is Postgres in one process; kysely's adapter for it takes no lock, so that for Postgres is put in.
const dialect = new PGliteDialect({ pglite: new PGlite() })
const db = new Kysely({ dialect: Object.assign(dialect, { createAdapter: () => new PostgresAdapter() }) })
const locks = async () => {
  const { rows } = await sql`select count(*)::int as held from pg_locks where locktype = 'advisory'`.execute(db)
  return rows[0].held
}
const STATEMENTS = { whole: sql`create table whole (id int)`, failing: sql`create table failing (id no_such_type)` }
const seen = {}
for (const [name, statement] of Object.entries(STATEMENTS)) {
  const provider = { getMigrations: async () => ({ [name]: { up: (trx) => statement.execute(trx) } }) }
  const options = { provider, migrationTableName: `m_${name}`, migrationLockTableName: `l_${name}` }
  await db
    .transaction()
    .execute(async (trx) => {
      const { error } = await new Migrator({ db: trx, ...options }).migrateToLatest()
      if (error) throw error
    })
    .catch((error) => console.log(`${name}: ${error.message}`))
  seen[name] = await locks()
}
console.log(seen)
assert.deepEqual(seen, { whole: 0, failing: 1 }, 'the behaviour has changed')
await db.destroy()
JS
node try.mjs
