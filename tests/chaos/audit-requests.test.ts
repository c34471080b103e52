import { describe, expect, it } from 'vitest'
import { auditRequests, type LogRow } from './audit-requests.ts'
import type { ClientRequest } from './load.ts'
import { MODELS } from './script.ts'
import type { InjectedFault } from './fault-injector.ts'
import type { VendorCall } from './vendor.ts'

const account = { user_id: 1, token_id: 2, key: 'k', isPoor: false, crossesGroups: false, isDeleted: false }
const aClient = (over: Partial<ClientRequest> = {}): ClientRequest => ({
  id: 'c1-0',
  account,
  format: 'openai',
  model: MODELS.perToken,
  is_stream: true,
  relay: 'relay-0',
  started_at: 1_000_000,
  status: 200,
  code: '',
  request_id: 'r',
  words: 8,
  marks: [],
  ended_at: 1_001_000,
  ending: 'complete',
  ...over,
})
const aCall = (over: Partial<VendorCall> = {}): VendorCall => ({
  id: 'c1-0',
  nth: 1,
  at: 1_000_010,
  is_stream: true,
  model: MODELS.perToken,
  group: 'default',
  words: 8,
  usage: { prompt_tokens: 24, completion_tokens: 8 },
  isWhole: true,
  isRefused: false,
  ...over,
})
/** (24 + 8 × 3) × 2 is 96. */
const aRow = (over: Partial<LogRow> = {}): LogRow => ({
  request_id: 'r',
  state: 'settled',
  quota: 96,
  group: 'default',
  user_id: 1,
  token_id: 2,
  completion_tokens: 8,
  by: 'relay',
  ended_by: 'complete',
  wallet_held: 100,
  token_held: 100,
  budgets: '',
  budgets_held: {},
  user_agent: 'chaos/c1-0',
  created_at: 1001,
  ...over,
})
const judge = (client: ClientRequest, calls: VendorCall[], rows: LogRow[], injected: InjectedFault[] = []) =>
  auditRequests({ requests: [client], vendor: new Map([['c1-0', calls]]), rows, injected, leftHolds: [], priceChanges: [] })
const kinds = (...args: Parameters<typeof judge>) => judge(...args).violations.map(({ kind }) => kind)

/** Words every 100 ms for five seconds. */
const marks = Array.from({ length: 50 }, (_, at): [number, number] => [at * 100, (at + 1) * 4])
const cut = aClient({ ending: 'broken', words: 200, marks })
const cutCall = aCall({ words: 200, isWhole: false })
delete cutCall.usage

describe('auditRequests', () => {
  it('accepts a response that costs what the vendor reported', () => {
    expect(kinds(aClient(), [aCall()], [aRow()])).toEqual([])
  })

  it('accepts a charge by the price that a change had brought, and by no other one', () => {
    const priceChanges = [{ model: MODELS.perToken, factor: 2, sent: 900_000, confirmed: 900_100 }]
    const found = (quota: number) =>
      auditRequests({
        requests: [aClient()],
        vendor: new Map([['c1-0', [aCall()]]]),
        rows: [aRow({ quota })],
        injected: [],
        leftHolds: [],
        priceChanges,
      }).violations.map(({ kind }) => kind)
    expect(found(192)).toEqual([])
    expect(found(96)).toEqual(['mischarged'])
  })

  it.each<[string, LogRow[], string[]]>([
    ['has no log row', [], ['lost']],
    ['is charged nothing', [aRow({ quota: 0, state: 'released' })], ['lost']],
    ['has two terminal rows', [aRow(), aRow({ quota: 0 })], ['duplicated']],
    ['has two corrections', [aRow({ quota: 90 }), aRow({ state: 'late', quota: 3 }), aRow({ state: 'late', quota: 3 })], ['duplicated']],
    ['costs one more', [aRow({ quota: 97 })], ['mischarged']],
  ])('reports a whole response that %s', (_name, rows, found) => {
    expect(kinds(aClient(), [aCall()], rows)).toEqual(found)
  })

  it('reports a charge although the vendor delivered nothing', () => {
    expect(kinds(aClient({ ending: 'refused', status: 502, words: 0 }), [aCall({ isRefused: true, words: 0 })], [aRow()])).toEqual([
      'mischarged',
    ])
  })

  it.each<[string, Partial<LogRow>, string[]]>([
    ['the last second', { quota: (24 + 160 * 3) * 2 }, []],
    ['the last four seconds', { quota: (24 + 32 * 3) * 2 }, ['behind']],
    ['everything', { quota: 0, state: 'released', ended_by: 'reaper' }, ['behind']],
  ])('reports a cut response whose charge misses more than 2 s of delivery: it misses %s', (_name, over, found) => {
    const row = aRow({ state: 'estimated', by: 'reaper', ended_by: 'reaper', ...over })
    expect(kinds(cut, [cutCall], [row])).toEqual(found)
  })

  it('reports a relay that releases although the client read words', () => {
    expect(kinds(cut, [cutCall], [aRow({ state: 'released', quota: 0, ended_by: 'client-disconnected' })])).toEqual(['lost'])
  })

  describe('of a token that crosses groups', () => {
    const crossing = { ...account, crossesGroups: true }
    const refused = aCall({ group: 'shaky', words: 0, isRefused: true })
    delete refused.usage
    const answered = aCall({ nth: 2, group: 'dear' })
    const moved = (over: Partial<LogRow>, model: string = MODELS.perToken) =>
      kinds(
        aClient({ account: crossing, model }),
        [refused, { ...answered, model }],
        [aRow({ group: 'dear', quota: 96 * 3, wallet_held: 3000, ...over })],
      )

    it('accepts the price of the group that answered', () => {
      expect(moved({})).toEqual([])
      expect(kinds(aClient({ account: crossing }), [aCall({ group: 'shaky' })], [aRow({ group: 'shaky', quota: 96 * 1.5 })])).toEqual([])
    })

    it.each<[string, Partial<LogRow>]>([
      ['the price of the first group', { quota: 96 * 1.5 }],
      ['the right price in another group', { group: 'shaky' }],
    ])('reports %s', (_name, over) => {
      expect(moved(over)).toEqual(['mischarged'])
    })

    it('accepts a correction in the group that answered after a release in the first one', () => {
      const rows = [
        aRow({ group: 'shaky', state: 'released', quota: 0, by: 'reaper', ended_by: 'reaper', wallet_held: 3000 }),
        aRow({ group: 'dear', state: 'late', quota: 96 * 3, wallet_held: 3000 }),
      ]
      const read = (found: LogRow[]) => kinds(aClient({ account: crossing }), [refused, answered], found)
      expect(read(rows)).toEqual([])
      expect(read(rows.map((row) => ({ ...row, group: 'shaky' })))).toEqual(['mischarged'])
    })

    it('reports a hold below the dearest group, unless the wallet has no more', () => {
      expect(moved({ quota: 3000 }, MODELS.perCall)).toEqual([])
      expect(moved({ quota: 3000, wallet_held: 1500 }, MODELS.perCall)).toEqual(['mischarged'])
      const poor = aClient({ account: { ...crossing, isPoor: true }, model: MODELS.perCall })
      expect(
        kinds(poor, [aCall({ group: 'shaky', model: MODELS.perCall })], [aRow({ group: 'shaky', quota: 1500, wallet_held: 1500 })]),
      ).toEqual([])
    })

    it('prices by the model that answered, and counts it', () => {
      const client = aClient({ model: MODELS.perCall })
      const found = judge(client, [aCall({ model: MODELS.perCall, isRefused: true }), aCall({ nth: 2 })], [aRow()])
      expect([found.violations, found.counts.fallback]).toEqual([[], 1])
      expect(kinds(client, [aCall()], [aRow({ quota: 1000 })])).toEqual(['mischarged'])
    })

    it('counts requests that moved', () => {
      const one = (calls: VendorCall[]) => judge(aClient({ account: crossing }), calls, [aRow()]).counts
      expect(one([refused, answered])).toMatchObject({ crossing: 1, moved: 1 })
      expect(one([aCall({ group: 'dear' })])).toMatchObject({ crossing: 1, moved: 0 })
    })
  })

  it('counts as unrecoverable only what Redis and the relay lost together', () => {
    const swap: InjectedFault = { kind: 'redis-rollback', target: 'redis', from: 1_000_500, to: 1_004_000 }
    const kill: InjectedFault = { kind: 'relay-kill', target: 'relay-0', from: 1_000_700, to: 1_001_000 }

    expect(judge(aClient(), [aCall()], [], [swap, kill])).toMatchObject({ violations: [], unrecoverable: [{ kind: 'lost' }] })
    expect(judge(aClient(), [aCall()], [], [swap, { ...kill, target: 'relay-1' }]).violations).toHaveLength(1)
    expect(judge(aClient(), [aCall()], [], [kill]).violations).toHaveLength(1)
  })
})
