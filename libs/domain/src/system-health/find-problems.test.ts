import { describe, expect, it } from 'vitest'
import type { HealthParts, SeenService } from '@tollgate/contracts/resources/health'
import { findProblems } from './find-problems.ts'

const NOW = 1_790_000_000

const aService = (fields: Partial<SeenService>): SeenService => ({
  id: 'a',
  service: 'relay',
  version: '1.0.0',
  host: 'one',
  pid: 7,
  started_at: NOW - 100,
  memory_bytes: 1,
  disk_free_bytes: 50,
  disk_total_bytes: 100,
  seen_at: NOW,
  is_running: true,
  ...fields,
})

const redis = {
  version: '8',
  started_at: 1,
  answer_ms: 1,
  memory_bytes: 1,
  max_memory_bytes: 0,
  eviction: 'noeviction',
  evicted_keys: 0,
  clients: 1,
  commands_per_second: 1,
  is_durable: true,
  has_write_error: false,
}

const ledger = {
  is_open: true,
  closed_shards: 0,
  lag_events: 3,
  lag_seconds: 0.4,
  suspect_shards: 0,
  open_holds: 3,
  unsynced: 0,
  last_check: { started_at: NOW - 3600, differences: 0, is_sound: true },
}

const well: HealthParts = {
  services: [aService({}), aService({ id: 'b', service: 'worker' }), aService({ id: 'c', service: 'control-plane' })],
  postgres: {
    version: '18',
    started_at: 1,
    answer_ms: 1,
    size_bytes: 1,
    connections: 10,
    max_connections: 100,
    waiting: 0,
    oldest_transaction_s: 0,
  },
  redis,
  ledger,
  queues: [{ queue: 'probe', waiting: 1, active: 1, delayed: 4, failed: 0 }],
  partitions: [{ table: 'logs', partitions: 4, first: 'logs_202601', last: 'logs_202604', size_bytes: 1, rows: 0, has_strays: false }],
  breakers: [],
  failing: [],
  unpriced: [],
  sold: { without_output: [], retiring: [] },
  unexpected_answers: [],
  notices: { unreached: [], by_mail: 1, can_mail: true },
}

const anUnexpectedAnswer = (kind: 'unknown-end' | 'usage' | 'unknown-state' | 'unclear-order') =>
  ({ channel_id: 3, channel_name: '', kind, word: 'w', model: 'm', request_id: 'r', count: 2, at: 1 }) as const

const changed = <Part extends keyof HealthParts>(part: Part, fields: Partial<NonNullable<HealthParts[Part]>>): HealthParts => ({
  ...well,
  [part]: { ...well[part], ...fields },
})
const codes = (parts: HealthParts): string[] => findProblems(parts, NOW).map(({ level, code }) => `${level} ${code}`)

describe('problems of a system', () => {
  it('name the first five models without a price, and count all', () => {
    const unpriced = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    expect(findProblems({ ...well, unpriced }, NOW)).toMatchObject([{ values: { count: 7, models: 'a, b, c, d, e, …' } }])
  })

  it('are none when everything runs', () => expect(findProblems(well, NOW)).toEqual([]))

  it.each<[string, HealthParts]>([
    ['bad no-relay', { ...well, services: [aService({ service: 'worker' })] }],
    ['bad no-worker', { ...well, services: [aService({})] }],
    ['bad disk-full', { ...well, services: [...(well.services ?? []), aService({ id: 'd', host: 'two', disk_free_bytes: 9 })] }],
    ['warning service-gone', { ...well, services: [...(well.services ?? []), aService({ id: 'd', is_running: false })] }],
    ['warning versions-differ', { ...well, services: [...(well.services ?? []), aService({ id: 'd', version: '1.0.1' })] }],
    ['bad fence-closed', changed('ledger', { is_open: false })],
    ['bad suspect-shards', changed('ledger', { suspect_shards: 1 })],
    ['bad posting-late', changed('ledger', { lag_seconds: 61 })],
    ['bad check-differs', changed('ledger', { last_check: { started_at: NOW, differences: 1, is_sound: false } })],
    ['warning check-missing', changed('ledger', { last_check: { started_at: NOW - 180_000, differences: 0, is_sound: true } })],
    ['warning unsynced', changed('ledger', { unsynced: 100 })],
    ['bad connections', changed('postgres', { connections: 90 })],
    ['warning locks', changed('postgres', { waiting: 10 })],
    ['warning long-transaction', changed('postgres', { oldest_transaction_s: 601 })],
    ['warning replica-away', changed('postgres', { replica: { lag_ms: null, is_used: false } })],
    ['warning replica-behind', changed('postgres', { replica: { lag_ms: 12_000, is_used: false } })],
    ['bad redis-write-error', changed('redis', { has_write_error: true })],
    ['bad redis-evicts', changed('redis', { evicted_keys: 1, eviction: 'allkeys-lru' })],
    ['bad redis-memory', changed('redis', { memory_bytes: 90, max_memory_bytes: 100 })],
    ['warning redis-not-durable', changed('redis', { is_durable: false })],
    ['bad log-store-late', { ...well, log_store: { waiting_rows: 3, waiting_s: 61 } }],
    ['bad master-away', { ...well, ledger_masters: [{ address: 'a:1', shards: 3, closed_shards: 3, redis: null }] }],
    ['bad shards-closed', { ...well, ledger: { ...ledger, is_open: false, closed_shards: 3 }, ledger_masters: [] }],
    [
      'bad ledger-redis-evicts',
      {
        ...well,
        ledger_masters: [1, 2].map((at) => ({ address: `a:${at}`, shards: 3, closed_shards: 0, redis: { ...redis, evicted_keys: at } })),
      },
    ],
    ['bad ledger-redis-write-error', { ...well, ledger_redis: { ...redis, has_write_error: true } }],
    ['bad ledger-redis-evicts', { ...well, ledger_redis: { ...redis, evicted_keys: 1 } }],
    ['bad ledger-redis-memory', { ...well, ledger_redis: { ...redis, memory_bytes: 90, max_memory_bytes: 100 } }],
    [
      'warning ledger-redis-not-durable',
      { ...well, redis: { ...redis, is_durable: false }, ledger_redis: { ...redis, is_durable: false } },
    ],
    ['warning strays', { ...well, partitions: (well.partitions ?? []).map((sums) => ({ ...sums, has_strays: true })) }],
    ['warning jobs-failed', { ...well, queues: [{ queue: 'mail', waiting: 0, active: 0, delayed: 0, failed: 2 }] }],
    ['warning jobs-waiting', { ...well, queues: [{ queue: 'mail', waiting: 1000, active: 0, delayed: 0, failed: 0 }] }],
    ['warning unpriced-models', { ...well, unpriced: ['m'] }],
    ['warning output-unpriced', changed('sold', { without_output: ['m'] })],
    ['warning models-retire', changed('sold', { retiring: [{ model: 'm', retires: '2026-12-01', successor: 'n' }] })],
    ['warning unknown-end', { ...well, unexpected_answers: [anUnexpectedAnswer('unknown-end')] }],
    ['warning unknown-state', { ...well, unexpected_answers: [anUnexpectedAnswer('unknown-state')] }],
    ['warning unclear-orders', { ...well, unexpected_answers: [anUnexpectedAnswer('unclear-order')] }],
    ['warning unusable-usage', { ...well, unexpected_answers: [anUnexpectedAnswer('usage')] }],
    ['warning roots-unreached', changed('notices', { unreached: ['root'], by_mail: 0, can_mail: false })],
    ['warning mail-unset', changed('notices', { can_mail: false })],
    ['warning breakers-open', { ...well, breakers: [{ channel_id: 1, channel_name: 'x', model: '*', state: 'open', remaining_ms: 5 }] }],
    ['bad unread', { ...well, partitions: null }],
  ])('name %s', (problem, parts) => expect(codes(parts)).toEqual([problem]))

  it('come worst first', () => {
    const parts = { ...changed('ledger', { is_open: false, unsynced: 500 }), queues: null }
    expect(codes(parts)).toEqual(['bad fence-closed', 'bad unread', 'warning unsynced'])
  })
})
