import { describe, expect, it } from 'vitest'
import type { LogRow } from './audit-requests.ts'
import { compareAccounts } from './audit-balances.ts'
import type { InjectedFault } from './fault-injector.ts'
import type { FaultKind } from './faults.ts'
import type { ClientRequest } from './load.ts'
import { MODELS } from './script.ts'

const request: ClientRequest = {
  id: 'c1-0',
  account: { user_id: 5, token_id: 12, key: 'k', isPoor: true, crossesGroups: false, isDeleted: false },
  format: 'openai',
  model: MODELS.perCall,
  is_stream: false,
  relay: 'relay-0',
  started_at: 1_000_000,
  status: 200,
  code: '',
  request_id: 'r',
  words: 8,
  marks: [],
  ended_at: 1_000_400,
  ending: 'complete',
}
const row: LogRow = {
  request_id: 'r',
  state: 'settled',
  group: 'default',
  quota: 1000,
  user_id: 5,
  token_id: 12,
  completion_tokens: 8,
  by: 'relay',
  ended_by: 'complete',
  wallet_held: 1000,
  token_held: 1000,
  budgets: '',
  budgets_held: {},
  user_agent: 'chaos/c1-0',
  created_at: 1000,
}
const otherRow: LogRow = { ...row, request_id: 'other', user_agent: 'chaos/c1-1', quota: 966 }
const fault = (over: Partial<InjectedFault> = {}): InjectedFault => ({
  kind: 'redis-empty',
  target: 'redis',
  from: 1_002_000,
  to: 1_003_000,
  ...over,
})

/** The wallet had 1000; the request was charged 1000, another one 966. */
function judge(booked: Partial<LogRow>, injected: readonly InjectedFault[], client: Partial<ClientRequest> = {}): string {
  const { overspent, swapped, drifted } = compareAccounts([{ name: 'user 5', got: 1000, charged: 1966, used: 1966 }], {
    rows: [{ ...row, ...booked }, otherRow],
    requests: [{ ...request, ...client }],
    injected,
    funding: new Map(),
  })
  expect(drifted).toEqual([])
  expect(overspent.length + swapped.length).toBe(1)
  return overspent.length > 0 ? 'overspent' : 'swapped'
}

describe('an account below zero', () => {
  it('is overspent without a fault of Redis', () => {
    expect(judge({}, [])).toBe('overspent')
    expect(judge({ created_at: 1004 }, [fault({ kind: 'worker-kill', target: 'worker' })])).toBe('overspent')
  })

  it.each<FaultKind>(['redis-empty', 'redis-rollback', 'redis-kill'])(
    'is not overspent by the charge of a request open during %s',
    (kind) => {
      expect(judge({ created_at: 1004 }, [fault({ kind })], { ended_at: 1_004_500 })).toBe('swapped')
    },
  )

  // The relay sends such a charge again; until then Redis knows neither it nor its hold.
  it('is not overspent by a charge that Redis forgot after the client was answered', () => {
    expect(judge({ created_at: 1003 }, [fault()], { ended_at: 1_000_400 })).toBe('swapped')
  })

  it('is overspent when its charges were booked before the fault began', () => {
    expect(judge({ created_at: 1000 }, [fault()], { ended_at: 1_002_500 })).toBe('overspent')
  })

  it('is overspent when its requests began after the fault', () => {
    expect(judge({ created_at: 1005 }, [fault()], { started_at: 1_003_500 })).toBe('overspent')
  })
})
