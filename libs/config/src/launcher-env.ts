import { z } from 'zod'
import { optionalDatabaseUrl } from './database-url.ts'

const text = z.string().default('')

/** Variables of `npm start`. All others are passed to the services unchanged. */
export const LauncherEnv = z.object({
  /** Public port; the internal ports follow it. */
  PORT: z.coerce.number().int().min(1).max(65_000).default(3000),
  /** Empty: the launcher starts its own Postgres. */
  DATABASE_URL: text,
  /** Where migrations run if not at DATABASE_URL. */
  MIGRATE_DATABASE_URL: optionalDatabaseUrl,
  /** Empty: the launcher starts its own Redis. */
  REDIS_URL: text,
  /** The server of the ledger, which the launcher never starts; empty: that of everything else. */
  LEDGER_REDIS_URL: text,
  /** Empty: one process per core. */
  RELAY_PROCESSES: text,
  /** Data folder; empty: chosen as docs/guides/running.md says. */
  TOLLGATE_STATE_DIR: text,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  PUBLIC_URL: text,
  PATH: text,
})
export type LauncherEnv = z.infer<typeof LauncherEnv>
