import { describe, expect, it } from 'vitest'
import { ControlPlaneEnv, MigrateEnv, parseEnv, RelayEnv, WorkerEnv } from './env.ts'
import { inheritedEnv } from './inherited-env.ts'
import { LauncherEnv } from './launcher-env.ts'

const SECRET = 's'.repeat(32)
const needed = { REDIS_URL: 'redis://x', KEY_CHANNELS: 'a:b', INTERNAL_SECRETS: SECRET, DATABASE_URL: 'postgres://x', KEY_OPTIONS: 'a:b' }

describe('the environment', () => {
  it.each([
    ['relay', RelayEnv, { RELAY_PORT: 3000, RELAY_PROCESSES: 1, METRICS_PORT: 0, TRUSTED_PROXIES: [], SHARDS: 64 }],
    ['control plane', ControlPlaneEnv, { CONTROL_PLANE_PORT: 3001, INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: 3002, SETUP_CODE: '' }],
    ['worker', WorkerEnv, { WORKER_HOST: '127.0.0.1', WORKER_PORT: 3004, REAP_AFTER: 60 }],
  ])('of the %s has defaults for all but stores and keys', (_, shape, expected) => {
    expect(parseEnv(shape, needed)).toMatchObject({ NODE_ENV: 'production', LOG_LEVEL: 'info', INTERNAL_SECRETS: [SECRET], ...expected })
  })

  it('names each wrong variable without its value', () => {
    const wrong = { ...needed, RELAY_PORT: 'no-port-1234', INTERNAL_SECRETS: 'too-short-secret', REDIS_URL: '' }

    const parse = (): unknown => parseEnv(RelayEnv, wrong)

    expect(parse).toThrow(/^environment: .*REDIS_URL.*INTERNAL_SECRETS.*RELAY_PORT/)
    expect(parse).not.toThrow(/no-port-1234|too-short-secret/)
  })

  it.each(['DATABASE_URL', 'MIGRATE_DATABASE_URL', 'ROWS_DATABASE_URL', 'ADMIN_DATABASE_URL'])(
    'names %s if it is no address of Postgres',
    (name) => {
      const parse = (): unknown => parseEnv(MigrateEnv, { ...needed, [name]: '${SECRET_ADDRESS:-}' })

      expect(parse).toThrow(new RegExp(`^environment: ${name}: must begin with postgres://$`))
      expect(parse).not.toThrow(/SECRET_ADDRESS/)
    },
  )

  it('of the launcher names MIGRATE_DATABASE_URL if it is no address of Postgres', () => {
    const parse = (): unknown => parseEnv(LauncherEnv, { MIGRATE_DATABASE_URL: 'localhost/tollgate' })

    expect(parse).toThrow('environment: MIGRATE_DATABASE_URL: must begin with postgres://')
  })

  it('accepts several hosts of Postgres, and an empty address where one may be left out', () => {
    const several = 'postgresql://tollgate:secret@one:5432,two:5432/tollgate'

    expect(parseEnv(MigrateEnv, { DATABASE_URL: several, MIGRATE_DATABASE_URL: '' }).DATABASE_URL).toBe(several)
  })

  it('refuses more posting groups than shards', () => {
    expect(() => parseEnv(WorkerEnv, { ...needed, SHARDS: '8', POSTING_GROUPS: '9' })).toThrow(
      /^environment: POSTING_GROUPS: there are not so many shards/,
    )
    expect(parseEnv(WorkerEnv, { ...needed, SHARDS: '8', POSTING_GROUPS: '8' }).POSTING_GROUPS).toBe(8)
  })

  it.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('reads %s as true', (text) => {
    expect(parseEnv(ControlPlaneEnv, { ...needed, GENERATE_DEFAULT_TOKEN: text }).GENERATE_DEFAULT_TOKEN).toBe(true)
  })

  it.each(['0', 'f', 'F', 'FALSE', 'false', 'False'])('reads %s as false', (text) => {
    expect(parseEnv(ControlPlaneEnv, { ...needed, GLOBAL_API_RATE_LIMIT_ENABLE: text }).GLOBAL_API_RATE_LIMIT_ENABLE).toBe(false)
  })

  it('splits lists at commas and drops blanks', () => {
    expect(parseEnv(RelayEnv, { ...needed, TRUSTED_PROXIES: ' 10.0.0.0/8, ,::1/128 ' }).TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1/128'])
  })

  it.each(['0', '65536', 'x', '-1'])('of the launcher rejects the port %s', (PORT) => {
    expect(() => parseEnv(LauncherEnv, { PORT })).toThrow(/^environment: PORT: /)
  })
})

describe('the environment of a child process', () => {
  it('is the own environment with the given changes; undefined removes a variable', () => {
    const env = inheritedEnv({ TOLLGATE_TEST_ONLY: 'x', HOME: undefined })

    expect(env).toMatchObject({ TOLLGATE_TEST_ONLY: 'x', PATH: process.env['PATH'] })
    expect(env['HOME']).toBeUndefined()
    expect(process.env['TOLLGATE_TEST_ONLY']).toBeUndefined()
  })
})
