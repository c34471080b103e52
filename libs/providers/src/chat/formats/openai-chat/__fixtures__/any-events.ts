import fc from 'fast-check'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { AnswerInput } from '../../../codec.ts'
import type { ModelEvent } from '../../../events.ts'

/** For tests: events in any order, sensible or not. */
export function anyEvents(): fc.Arbitrary<ModelEvent[]> {
  const text = fc.string()
  const index = fc.nat(3)
  const event: fc.Arbitrary<ModelEvent> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('text'), text }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('reasoning'), text }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('tool-call'), index, id: fc.stringMatching(/^call_\w{1,6}$/), name: fc.constantFrom('f', 'patch') }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('tool-arguments'), index, text }) },
    fc.record({ kind: fc.constant('start'), id: fc.constantFrom('resp_up', 'msg_up') }),
    fc.record({ kind: fc.constant('block-break') }),
    fc.record({ kind: fc.constant('refusal'), text }),
    fc.record({ kind: fc.constant('reasoning-signature'), signature: text, by: fc.constant('anthropic-messages') }),
    fc.record({ kind: fc.constant('redacted-reasoning'), data: text, by: fc.constant('anthropic-messages') }),
    fc.record({ kind: fc.constant('image'), media_type: fc.constant('image/png'), data: fc.base64String() }),
    fc.record({ kind: fc.constant('audio'), data: fc.base64String(), transcript: text, id: fc.constant('audio_1') }),
    fc.record({ kind: fc.constant('citation'), url: fc.webUrl(), raw: fc.constant({}) }),
    fc.record({ kind: fc.constant('vendor-specific'), by: fc.constant('gemini'), type: fc.constant('grounding'), raw: fc.constant({}) }),
    fc.record({ kind: fc.constant('usage'), usage: fc.constant(SETTLED), raw: fc.constant({}) }),
    fc.record({ kind: fc.constant('finish'), finish: fc.constantFrom('stop', 'length', 'tools', 'filter', 'other') }),
  )
  return fc.array(event, { maxLength: 25 })
}

export const SETTLED: Usage = {
  text_in: 5, text_out: 7, cache_read: 2, cache_write: 0, image_in: 0, audio_in: 0, audio_out: 0, reasoning: 3,
  prompt_tokens: 7, completion_tokens: 7, source: 'estimated',
}

/** For tests: the input of an answer. */
export const answerInput = (over: Partial<AnswerInput> = {}): AnswerInput => ({
  id: 'chatcmpl-1', created: 1_700_000_000, model: 'asked', include_usage: true, prompt_tokens: 9, body: {}, ...over,
})

/** For tests: an answer with every kind of content, in a model's usual order. */
export const ANSWER: readonly ModelEvent[] = [
  { kind: 'start', id: 'msg_1', model: 'upstream' },
  { kind: 'reasoning', text: 'Let me ' },
  { kind: 'reasoning', text: 'see.' },
  { kind: 'block-break' },
  { kind: 'reasoning', text: 'Again.' },
  { kind: 'reasoning-signature', signature: 'sig', by: 'anthropic-messages' },
  { kind: 'text', text: 'Two ' },
  { kind: 'text', text: 'calls 👋' },
  { kind: 'citation', url: 'https://x.example/a', title: 'A', raw: { type: 'web_search_result_location' } },
  { kind: 'tool-call', index: 0, id: 'call_a', name: 'f' },
  { kind: 'tool-arguments', index: 0, text: '{"a"' },
  { kind: 'tool-call', index: 1, id: 'call_b', name: 'g' },
  { kind: 'tool-arguments', index: 1, text: '{}' },
  { kind: 'tool-arguments', index: 0, text: ':1}' },
  { kind: 'usage', usage: SETTLED, raw: {} },
  { kind: 'finish', finish: 'tools' },
]
