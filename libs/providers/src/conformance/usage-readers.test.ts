import { describe, expect, it } from 'vitest'
import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import { HELD_BYTES } from '../chat/marker-usage-reader.ts'
import type { ChatFormat } from '../chat/request.ts'
import type { StreamEnding, StreamFacts } from '../chat/stream.ts'
import { EventFacts } from '../chat/translate.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { CHAT_FORMATS } from './cases.ts'
import { streamFixtures } from './stream-fixtures.testing.ts'

/**
 * A stream that passes through is read by its format's usage reader, a translated one by its decoder. Both must read the same facts
 * from every recorded stream, however its bytes arrive.
 */
describe.each(CHAT_FORMATS)('the usage reader of %s', (format) => {
  it.each(streamFixtures(format))('reads the facts of %s as the decoder does', (file, bytes) => {
    const decoded = factsOfDecoder(format, bytes)
    const expected = { ...decoded, ...DIFFERENCES[`${format}/${file}`]?.reader }

    for (const pieces of cutsOf(bytes)) {
      const read = factsOfUsageReader(format, pieces)
      const at = `cut at ${pieces[0]?.length}`
      if (pieces.length === 1 || !hasLargeEvent(bytes)) expect(read, at).toEqual(expected)
      else {
        // An event that outgrows the buffer passes unparsed, and all its characters count.
        expect({ ...read, ...NO_COUNTS }, at).toEqual({ ...expected, ...NO_COUNTS })
        expect(read.text + read.reasoning + read.tools, at).toBeGreaterThanOrEqual(expected.text + expected.reasoning + expected.tools)
        expect(read.text + read.reasoning + read.tools, at).toBeLessThan(bytes.length)
      }
    }
  })

  it('differs from the decoder only where declared', () => {
    const files = Object.keys(DIFFERENCES).filter((key) => key.startsWith(`${format}/`))
    const fixtures = new Map(streamFixtures(format))
    for (const key of files) {
      const bytes = fixtures.get(key.slice(format.length + 1))
      expect(bytes, key).toBeDefined()
      if (bytes !== undefined) expect(factsOfDecoder(format, bytes), key).not.toMatchObject(DIFFERENCES[key]?.reader ?? {})
    }
  })
})

type Facts = Pick<StreamFacts, 'usage' | 'raw_usage' | 'finish' | 'failure' | 'hasContent' | 'hasBegun' | 'unreadable'> & {
  readonly ending: StreamEnding
  readonly text: number
  readonly reasoning: number
  readonly tools: number
  readonly tool_calls: number
}

/** The usage reader's values that differ, with the reason. */
const DIFFERENCES: Readonly<Record<string, { readonly why: string; readonly reader: Partial<Facts> }>> = {
  'openai-chat/chat-two-choices.sse': {
    why: 'The client receives every choice; a translation has the first only.',
    reader: { finish: 'stop', text: 7 },
  },
  'openai-responses/responses-custom-tool.sse': {
    why: 'The decoder writes the free text of a custom tool as JSON.',
    reader: { tools: 32 },
  },
  'anthropic-messages/answers/filtered.sse': { why: 'The decoder tells the reason of the refusal as text.', reader: { text: 9 } },
  'anthropic-messages/refusal.sse': { why: 'The decoder tells the reason of the refusal as text.', reader: { text: 7 } },
  'anthropic-messages/parallel-tools.sse': { why: 'The decoder adds `{}` to a call without arguments.', reader: { tools: 91 } },
  'anthropic-messages/web-search.sse': {
    why: 'The reader counts the input of a server tool as it arrives, the decoder as `JSON.stringify` writes it.',
    reader: { tools: 40 },
  },
  'gemini/answers/filtered.sse': {
    why: 'To clients of Google a blocked prompt is an answer.',
    reader: { failure: undefined, finish: 'filter', ending: 'finished' },
  },
  'gemini/chat-prompt-blocked.sse': {
    why: 'To clients of Google a blocked prompt is an answer.',
    reader: { failure: undefined, finish: 'filter', ending: 'finished' },
  },
  'gemini/chat-empty.sse': {
    why: 'Without any candidate the decoder fails instead of ending early.',
    reader: { failure: undefined, ending: 'cut' },
  },
  'gemini/chat-code-execution.sse': {
    why: 'The decoder writes the code that Google ran, and its output, as text between fences.',
    reader: { text: 9, tools: 11 },
  },
}

const NO_COUNTS = { text: 0, reasoning: 0, tools: 0 }
const hasLargeEvent = (bytes: Buffer) =>
  bytes
    .toString()
    .split(/\r?\n\r?\n/)
    .some((event) => event.length > HELD_BYTES)

const countLetters: CountInto = (counts, text) => {
  counts.letters += text.length
}

function factsOfUsageReader(format: ChatFormat, pieces: readonly Buffer[]): Facts {
  const reader = chatCodecs[format].passThrough.createUsageReader({ wants_usage: true, count: countLetters })
  for (const piece of pieces) reader.push(piece)
  return toFacts(reader.facts, reader.close().ending)
}

function factsOfDecoder(format: ChatFormat, bytes: Buffer): Facts {
  const decoder = chatCodecs[format].vendor.createDecoder()
  const facts = new EventFacts(countLetters)
  const pushed = decoder.push(bytes)
  const { events, ending } = decoder.end()
  for (const event of [...pushed, ...events]) facts.read(event)
  facts.unreadable = decoder.unreadable
  return toFacts(facts, ending)
}

function toFacts(facts: StreamFacts, ending: StreamEnding): Facts {
  const { usage, raw_usage, finish, failure, hasContent, hasBegun, unreadable, delivered } = facts
  const { text, reasoning, tools, tool_calls } = delivered
  const counts = { text: text.letters, reasoning: reasoning.letters, tools: tools.letters, tool_calls }
  return { usage, raw_usage, finish, failure, hasContent, hasBegun, unreadable, ending, ...counts }
}

/** The stream whole, in two pieces cut at every 37th byte, and in pieces of 7 bytes. */
function* cutsOf(bytes: Buffer): Generator<readonly Buffer[]> {
  yield [bytes]
  for (let at = 1; at < bytes.length; at += 37) yield [bytes.subarray(0, at), bytes.subarray(at)]
  yield Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) => bytes.subarray(index * 7, index * 7 + 7))
}
