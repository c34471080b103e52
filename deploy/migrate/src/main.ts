import { MigrateEnv, parseEnv } from '@tollgate/config/env'
import { createLogger } from '@tollgate/telemetry/logger'
import { runMigrations } from './run-migrations.ts'

/** The migration job of a deployment: runs to the end before the services of a new version start. */
try {
  const env = parseEnv(MigrateEnv)
  const log = createLogger({ service: 'migrate', level: env.LOG_LEVEL })
  const migrations = await runMigrations(env)
  log.info({ migration: migrations.join(', ') }, migrations.length === 0 ? 'Schema is up to date' : 'Schema migrated')
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  process.stderr.write(`migrate: ${reason}${cause}\n`)
  process.exit(1)
}
