import { z } from 'zod'

const text = z.string().default('')

/** What `npm start` reads. Everything else in the environment is handed to the services as it is. */
export const LauncherEnv = z.object({
  /** Public port; the internal ones follow it. */
  PORT: z.coerce.number().int().min(1).max(65_000).default(3000),
  /** Empty: the launcher brings up its own Postgres. */
  DATABASE_URL: text,
  /** Empty: the launcher brings up its own Redis. */
  REDIS_URL: text,
  /** Empty: one process per core. */
  RELAY_PROCESSES: text,
  /** Where data lives; empty: chosen by the rules of docs/guides/running.md. */
  TOLLGATE_STATE_DIR: text,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  PUBLIC_URL: text,
  PATH: text,
})
export type LauncherEnv = z.infer<typeof LauncherEnv>
