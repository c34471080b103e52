import { describe, expect, it } from 'vitest'
import { ownAddresses } from './own-addresses.ts'

describe('ownAddresses', () => {
  it('names the stores and listeners that the environment of a service knows', () => {
    const own = ownAddresses({
      OWN_ADDRESSES: ['worker.internal:3004'],
      DATABASE_URL: 'postgres://u:p@db.internal/tollgate',
      REDIS_URL: 'rediss://[fd00::5]:6400',
      CONTROL_PLANE_INTERNAL_URL: 'http://control.internal:3002',
      CONSOLE_ORIGIN: 'https://control.internal',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      RELAY_PORT: 3000,
      METRICS_PORT: 0,
    })

    expect(own).toEqual([
      'worker.internal:3004',
      '*:5432',
      '*:6400',
      '*:3002',
      'localhost:3000',
      'db.internal:5432',
      '[fd00::5]:6400',
      'control.internal:3002',
      'control.internal:443',
      'collector:4318',
    ])
    expect(own.join(' ')).not.toContain('u:p')
  })

  it('names every host of an address with several, and the usual port of Redis behind Sentinel', () => {
    const own = ownAddresses({
      OWN_ADDRESSES: [],
      DATABASE_URL: 'postgres://u:p@one,two:5433/tollgate',
      DATABASE_REPLICA_URL: 'postgres://u:p@standby:5434/tollgate',
      REDIS_URL: 'redis+sentinel://:p@a,b:26400/mymaster',
      LEDGER_REDIS_URL: 'redis://:p@money:6390',
    })

    const ports = ['*:5432', '*:5433', '*:5434', '*:26379', '*:26400', '*:6379', '*:6390']
    expect(own).toEqual([...ports, 'one:5432', 'two:5433', 'standby:5434', 'a:26379', 'b:26400', 'money:6390'])
  })

  it("blocks Postgres' usual port in a service that does not know Postgres", () => {
    expect(ownAddresses({ OWN_ADDRESSES: [], INTERNAL_PORT: 3002 })).toEqual(['*:5432', '*:3002'])
  })
})
