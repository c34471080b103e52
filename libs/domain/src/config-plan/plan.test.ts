import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planChanges, recordKey, type ConfigRecord, type PlannedChange } from './plan.ts'

const channel = (name: string, fields: ConfigRecord['fields'], secrets: ConfigRecord['secrets'] = {}): ConfigRecord => ({
  kind: 'channel',
  name,
  fields,
  secrets,
})
const none = { desired: [], actual: [], applied: [], prune: 'none' } as const

/** The records of the installation after the changes. */
function applied(actual: readonly ConfigRecord[], desired: readonly ConfigRecord[], changes: readonly PlannedChange[]): ConfigRecord[] {
  const records = new Map(actual.map((record) => [recordKey(record), record]))
  const wanted = new Map(desired.map((record) => [recordKey(record), record]))
  for (const { action, fields, ...name } of changes) {
    const key = recordKey(name)
    if (action === 'remove') records.delete(key)
    else {
      const before = records.get(key) ?? { ...name, fields: {}, secrets: {} }
      const values = fields.filter(({ is_secret }) => !is_secret).map(({ field, after }) => [field, after ?? null] as const)
      records.set(key, {
        ...before,
        fields: { ...before.fields, ...Object.fromEntries(values) },
        secrets: { ...before.secrets, ...wanted.get(key)?.secrets },
      })
    }
  }
  return [...records.values()]
}

describe('a plan', () => {
  it('names what differs, field by field, and leaves out what the files do not name', () => {
    const actual = [channel('a', { weight: 1, models: ['x'], tag: 't' }), channel('other', {})]
    const desired = [channel('a', { weight: 2, models: ['x'] }), channel('b', { weight: 3 })]

    expect(planChanges({ ...none, desired, actual }).changes).toEqual([
      {
        kind: 'channel',
        name: 'a',
        action: 'update',
        fields: [{ field: 'weight', before: 1, after: 2, is_secret: false, is_drift: false }],
      },
      { kind: 'channel', name: 'b', action: 'create', fields: [{ field: 'weight', after: 3, is_secret: false, is_drift: false }] },
    ])
  })

  it('takes null for an absent field', () => {
    const desired = [channel('a', { weight: null })]
    expect(planChanges({ ...none, desired, actual: [channel('a', {})] }).changes).toEqual([])
    expect(planChanges({ ...none, desired, actual: [channel('a', { weight: 1 })] }).changes).toMatchObject([
      { fields: [{ field: 'weight', before: 1 }] },
    ])
  })

  it('says of a secret only that it differs', () => {
    const input = { ...none, desired: [channel('a', {}, { key: 'new' })], actual: [channel('a', {}, { key: 'old' })] }

    expect(planChanges(input).changes).toMatchObject([{ fields: [{ field: 'key', is_secret: true, is_drift: false }] }])
    expect(JSON.stringify(planChanges(input))).not.toMatch(/"(new|old)"/)
    expect(planChanges({ ...input, applied: [channel('a', {}, { key: 'new' })] }).changes).toMatchObject([{ fields: [{ is_drift: true }] }])
  })

  it('tells a change of the installation from a change of the files', () => {
    const input = { ...none, desired: [channel('a', { weight: 5, tag: 'new' })], actual: [channel('a', { weight: 9, tag: 'old' })] }
    const { changes } = planChanges({ ...input, applied: [channel('a', { weight: 5, tag: 'old' })] })

    expect(changes[0]?.fields.map(({ field, is_drift }) => [field, is_drift])).toEqual([
      ['weight', true],
      ['tag', false],
    ])
  })

  it('removes nothing unless told to: then what files applied, or all records of the kinds that they name', () => {
    const actual = [channel('kept', {}), channel('owned', {}), channel('by hand', {}), { ...channel('vip', {}), kind: 'group' as const }]
    const input = { desired: [channel('kept', {})], actual, applied: [channel('owned', {})] }
    const removed = (prune: 'none' | 'owned' | 'all') =>
      planChanges({ ...input, prune }).changes.map(({ action, name }) => `${action} ${name}`)

    expect(removed('none')).toEqual([])
    expect(planChanges({ ...input, prune: 'none' }).left).toEqual([{ kind: 'channel', name: 'owned' }])
    expect(removed('owned')).toEqual(['remove owned'])
    expect(removed('all')).toEqual(['remove owned', 'remove by hand'])
  })

  it('leads to a state without a further change, and is empty for equal states', () => {
    const value = fc.oneof(fc.nat(3), fc.constantFrom('x', 'y'), fc.array(fc.nat(2), { maxLength: 2 }), fc.constant(null))
    const record = fc.record({
      kind: fc.constantFrom('channel' as const, 'group' as const),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      fields: fc.dictionary(fc.constantFrom('f', 'g', 'constructor'), value),
      secrets: fc.dictionary(fc.constantFrom('key'), fc.constantFrom('one', 'two')),
    })
    const records = fc.uniqueArray(record, { selector: recordKey, maxLength: 6 })
    fc.assert(
      fc.property(
        records,
        records,
        records,
        fc.constantFrom('none' as const, 'owned' as const, 'all' as const),
        (desired, actual, before, prune) => {
          const input = { desired, actual, applied: before, prune }
          const after = applied(actual, desired, planChanges(input).changes)

          expect(planChanges({ ...input, actual: after }).changes).toEqual([])
          expect(planChanges({ ...input, desired: actual, prune: 'all' }).changes.filter(({ action }) => action !== 'remove')).toEqual([])
        },
      ),
    )
  })
})
