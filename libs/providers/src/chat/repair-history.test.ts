import { describe, expect, it } from 'vitest'
import { Warnings } from '../warnings.ts'
import { repairHistory } from './repair-history.ts'
import type { Message, Part } from './request.ts'

const text = (said: string): Part => ({ kind: 'text', text: said })
const call = (id: string, name = 'look'): Part => ({ kind: 'tool-call', id, name, arguments: '{}' })
const result = (call_id: string, said = 'seen'): Part => ({ kind: 'tool-result', call_id, content: [{ kind: 'text', text: said }] })
const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })

function repair(...messages: readonly Message[]) {
  const warnings = new Warnings()
  return { messages: repairHistory(messages, warnings, {}), warnings: warnings.entries, given: messages }
}

const LOST = 'The result of this call is not part of the conversation.'

describe('a history', () => {
  it('stays as it is if every call has its result', () => {
    const sent = repair(user(text('a')), assistant(call('1'), call('2')), user(result('2'), result('1'), text('b')), assistant(text('c')))

    expect(sent).toMatchObject({ messages: sent.given, warnings: [] })
    expect(repair(user(text('a')), assistant(call('1'))).warnings).toEqual([])
  })

  it('gives each result to the nearest call before it with its id', () => {
    const sent = repair(
      assistant(call('call_0', 'a')),
      user(result('call_0', 'A')),
      assistant(call('call_0', 'b')),
      user(result('call_0', 'B')),
    )

    expect(sent.messages).toEqual([
      assistant(call('call_0', 'a')),
      user(result('call_0', 'A')),
      assistant(call('call_0_2', 'b')),
      user(result('call_0_2', 'B')),
    ])
    expect(sent.warnings).toEqual(['tool call: id used twice'])
  })

  it('keeps calls of one turn with the same id apart', () => {
    const sent = repair(assistant(call('x', 'a'), call('x', 'b')), user(result('x', 'A'), result('x', 'B')))

    expect(sent.messages).toEqual([assistant(call('x', 'a'), call('x_2', 'b')), user(result('x', 'A'), result('x_2', 'B'))])
  })

  it('keeps a result without its call as text', () => {
    const sent = repair(user(result('gone'), text('b')))

    expect(sent.messages).toEqual([user(text('Result of the tool gone:'), text('seen'), text('b'))])
    expect(sent.warnings).toEqual(['tool result without its call: sent as text'])
  })

  it('adds a result to a call that has none', () => {
    const sent = repair(assistant(call('1'), call('2')), user(result('1'), text('b')))

    const added: Part = { kind: 'tool-result', call_id: '2', content: [{ kind: 'text', text: LOST }], is_error: true }
    expect(sent.messages).toEqual([assistant(call('1'), call('2')), user(result('1'), added, text('b'))])
    expect(repair(assistant(call('2')), { role: 'system', parts: [text('s')] }, user(text('b'))).messages[1]).toEqual(user(added))
    expect(sent.warnings).toEqual(['tool call without its result: a result was added'])
  })

  it('has one result per call, however often the client sent it', () => {
    const again = repair(
      assistant(call('1')),
      user(result('1')),
      user(result('1')),
      user(text('b')),
      assistant(text('c')),
      user(result('1'), text('d')),
    )

    expect(again.messages).toEqual([assistant(call('1')), user(result('1')), user(text('b')), assistant(text('c')), user(text('d'))])
    expect(again.warnings).toEqual(['tool result sent twice'])
  })

  it('has its results right after their turn', () => {
    const late = repair(assistant(call('1')), { role: 'system', parts: [text('s')] }, user(text('b')), user(result('1')))

    expect(late.messages).toEqual([assistant(call('1')), user(result('1')), { role: 'system', parts: [text('s')] }, user(text('b'))])
  })
})
