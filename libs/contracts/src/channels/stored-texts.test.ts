import { describe, expect, it } from 'vitest'
import { parseModelCheck } from '../models/model-check.ts'
import { encodeChannelInfo, parseChannelInfo, withoutDisableReason } from './channel-info.ts'
import { parseKeyStates, toKeyStateColumns } from './channel-keys.ts'
import { parseChannelTests, withChannelTest, type ChannelTest } from './channel-tests.ts'

/** Texts that imports and other versions leave in a column of JSON. */
const UNREADABLE = ['', 'null', '[]x', '{', '"text"', '5', '{"keys":5}', '{"a":5}', '[{"ok":1}]', '\u0000']
const TEST: ChannelTest = { capability: 'chat', ok: true, status: 200, message: '', model: 'm', time_ms: 5, at: 7 }

describe('columns of a channel that hold JSON', () => {
  it.each(UNREADABLE)('are empty where their text is %j', (text) => {
    expect(parseKeyStates(text)).toEqual({})
    expect(parseChannelTests(text)).toEqual([])
    expect(parseModelCheck(text)).toBeUndefined()
    expect(parseChannelInfo(text)).toEqual(text === '{"a":5}' ? { a: 5 } : {})
  })

  it('leave out a fault whose code another version has, and keep the rest', () => {
    const stored = { ...TEST, ok: false, message: 'away', fault: { code: 'of.another-version' } }

    expect(parseChannelTests(JSON.stringify([stored]))).toEqual([{ ...TEST, ok: false, message: 'away', fault: undefined }])
  })

  it('keep fields of a channel’s information that this version does not know', () => {
    const text = JSON.stringify({ source: 'import', status_reason: 'refused', status_time: 5, status: 401, code: 'c', text: 't' })

    expect(encodeChannelInfo(withoutDisableReason(parseChannelInfo(text)))).toBe('{"source":"import"}')
  })

  it('lose the reason of one key, and become empty with the last one', () => {
    const reason = { status_reason: 'refused', status_time: 5 }
    const two = parseChannelInfo(JSON.stringify({ keys: { a: reason, b: reason } }))

    const one = withoutDisableReason(two, 'a')
    expect(one).toEqual({ keys: { b: reason } })
    expect(encodeChannelInfo(withoutDisableReason(one, 'b'))).toBe('')
  })

  it('state the earliest expiry of a key, and drop keys without any state', () => {
    expect(toKeyStateColumns({ a: { expires_at: 9 }, b: { expires_at: 5, reason: 'old' }, c: { disabled_at: undefined } })).toEqual({
      key_states: '{"a":{"expires_at":9},"b":{"expires_at":5,"reason":"old"}}',
      key_expires_at: 5,
    })
    expect(toKeyStateColumns({ a: {} })).toEqual({ key_states: '', key_expires_at: 0 })
  })

  it('keep the newest test of each capability, newest first', () => {
    const stream = { ...TEST, capability: 'stream' as const }
    const newer = { ...TEST, ok: false, at: 9 }

    expect(withChannelTest([TEST, stream], newer)).toEqual([newer, stream])
  })
})
