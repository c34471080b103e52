import { ControlPlaneEnv, parseEnv, RelayEnv, WorkerEnv } from '@tollgate/config/env'
import { LauncherEnv } from '@tollgate/config/launcher-env'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { portsFrom } from './ports.ts'
import { serviceEnvs } from './service-env.ts'

const KEY = `k:${'A'.repeat(43)}`
const keys = {
  KEY_CHANNELS: KEY,
  KEY_OPTIONS: KEY,
  INTERNAL_SECRETS: 's'.repeat(40),
  postgres_password: 'pg-password',
  redis_password: 'r',
}
const stores = {
  ownerUrl: 'postgres://tollgate_owner:one@127.0.0.1:40001/postgres',
  controlPlaneUrl: 'postgres://tollgate_rows:two@127.0.0.1:40001/postgres',
  redisUrl: 'redis://:r@127.0.0.1:40002',
}

function envs() {
  const paths = { root: '/clone', stateDir: '/state' }
  return serviceEnvs({ paths, env: parseEnv(LauncherEnv, {}), ports: portsFrom(3000), keys, stores, consoleDir: '', mode: 'production' })
}

describe('the environment of the services', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('gives the relay neither Postgres nor the key of secret options, also when the operator sets them', () => {
    for (const name of ['DATABASE_URL', 'KEY_OPTIONS', 'SETUP_CODE']) vi.stubEnv(name, 'of-the-operator')

    const { relay } = envs()

    expect(Object.keys(relay)).not.toEqual(expect.arrayContaining(['DATABASE_URL']))
    expect(JSON.stringify(relay)).not.toMatch(/postgres:|of-the-operator|pg-password/)
    expect(relay['KEY_OPTIONS']).toBeUndefined()
  })

  it('gives each service every variable that it needs, and what is not ours', () => {
    vi.stubEnv('SSL_CERT_DIR', '/certs')
    const { relay, worker, 'control-plane': controlPlane } = envs()

    expect(parseEnv(RelayEnv, relay).RELAY_PORT).toBe(3000)
    expect(parseEnv(WorkerEnv, worker).DATABASE_URL).toBe(stores.ownerUrl)
    expect(parseEnv(ControlPlaneEnv, controlPlane).DATABASE_URL).toBe(stores.controlPlaneUrl)
    for (const env of [relay, worker, controlPlane]) expect([env['PATH'], env['SSL_CERT_DIR']]).toEqual([process.env['PATH'], '/certs'])
  })

  it('tells every service the addresses of all of them', () => {
    vi.stubEnv('METRICS_PORT', '9464')
    vi.stubEnv('OWN_ADDRESSES', 'other.internal:3004')
    const { relay, worker, 'control-plane': controlPlane } = envs()
    const own = parseEnv(RelayEnv, relay).OWN_ADDRESSES

    expect(own).toEqual(expect.arrayContaining(['other.internal:3004', '*:40001', '*:40002', '*:3002']))
    expect(own).toEqual(expect.arrayContaining(['localhost:3000', 'localhost:3001', 'localhost:3004', 'localhost:9464', 'localhost:9466']))
    expect([worker['OWN_ADDRESSES'], controlPlane['OWN_ADDRESSES']]).toEqual([relay['OWN_ADDRESSES'], relay['OWN_ADDRESSES']])
    expect([controlPlane['METRICS_PORT'], worker['METRICS_PORT'], relay['METRICS_PORT']]).toEqual(['9464', '9465', '9466'])
  })
})
