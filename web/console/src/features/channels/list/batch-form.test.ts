import { describe, expect, it } from 'vitest'
import { EMPTY_BATCH, readBatch } from './batch-form.ts'

describe('readBatch', () => {
  it('asks for nothing while every field is kept', () => {
    expect(readBatch(EMPTY_BATCH)).toEqual({ kind: 'nothing' })
  })

  it('takes only the fields that were filled in, and an empty one as cleared', () => {
    const form = { ...EMPTY_BATCH, models: { choice: 'add', text: 'a, b\na' }, weight: ' 3', tag: '', proxy: ' ' } as const

    expect(readBatch(form)).toEqual({
      kind: 'change',
      change: { models: { action: 'add', names: ['a', 'b'] }, weight: 3, tag: '', proxy: '' },
    })
  })

  it('enables and disables', () => {
    expect(readBatch({ ...EMPTY_BATCH, status: 'enable' })).toEqual({ kind: 'change', change: { status: 1 } })
    expect(readBatch({ ...EMPTY_BATCH, status: 'disable' })).toEqual({ kind: 'change', change: { status: 2 } })
  })

  it.each([
    ['a priority that is no whole number', { ...EMPTY_BATCH, priority: '1.5' }, { field: 'priority', text: 'rank-error' }],
    ['an empty weight', { ...EMPTY_BATCH, weight: '' }, { field: 'weight', text: 'rank-error' }],
    ['a list without names', { ...EMPTY_BATCH, groups: { choice: 'replace', text: ' , ' } }, { field: 'groups', text: 'names-error' }],
  ] as const)('names the field of %s', (_, form, problem) => {
    expect(readBatch(form)).toEqual({ kind: 'problem', problem })
  })
})
