import { MigrateEnv, parseEnv } from '@tollgate/config/env'
import { toLine } from '@tollgate/telemetry/error-line'
import { createLogger } from '@tollgate/telemetry/logger'
import { runMigrations } from './run-migrations.ts'

/** The migration job of a deployment: runs to the end before the services of a new version start. */
try {
  const env = parseEnv(MigrateEnv)
  const log = createLogger({ service: 'migrate', level: env.LOG_LEVEL })
  const migrations = await runMigrations(env)
  log.info({ migration: migrations.join(', ') }, migrations.length === 0 ? 'Schema is up to date' : 'Schema migrated')
} catch (error) {
  process.stderr.write(`migrate: ${toLine(error)}\n`)
  process.exit(1)
}
