import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import type { StreamFrame } from '../../../codec.ts'
import type { ModelEvent } from '../../../events.ts'
import type { AnswerStream, StreamEnding } from '../../../stream.ts'
import { createGeminiDecoder } from '../decoder.ts'
import { createGeminiUsageReader } from '../usage-reader.ts'

/** For tests: counts every character as a letter, so that a count is a length. */
export const countLetters: CountInto = (counts, text) => {
  counts.letters += text.length
}

export const SETTLED: Usage = {
  text_in: 5, text_out: 7, cache_read: 0, cache_write: 0, image_in: 0, audio_in: 0, audio_out: 0, reasoning: 0,
  prompt_tokens: 5, completion_tokens: 7, source: 'estimated',
}

export type Replay = {
  /** Text that the client received before settlement. */
  readonly passed: string
  readonly ending: StreamEnding
  /** Text that would be sent after it. */
  readonly closing: string
  readonly usageReader: AnswerStream
}

/** For tests: sends chunks through a usage reader as the relay does. */
export function replay(chunks: readonly Buffer[], frame: StreamFrame = 'sse'): Replay {
  const usageReader = createGeminiUsageReader({ wants_usage: true, count: countLetters, frame })
  // Copies, because a usage reader must not depend on a chunk after it has returned.
  const passed = chunks.map(chunk => {
    const own = Buffer.from(chunk)
    const out = Buffer.from(usageReader.push(own))
    own.fill(0)
    return out
  })
  const { rest, ending } = usageReader.close()
  return { passed: Buffer.concat([...passed, rest]).toString(), ending, closing: usageReader.closing(SETTLED).toString(), usageReader }
}

/** The result of a replay, for comparison. */
export function factsOf({ usageReader, ending }: Replay): object {
  const { usage, finish, failure, hasContent, delivered, unreadable } = usageReader.facts
  const length = { text: delivered.text.letters, reasoning: delivered.reasoning.letters, tools: delivered.tools.letters }
  return { ending, finish: finish ?? null, usage: usage ?? null, failure: failure ?? null, hasContent, unreadable, delivered: { ...length, tool_calls: delivered.tool_calls } }
}

/** For tests: all events of a stream and how it ended. */
export function decodeAll(chunks: readonly Buffer[]): { events: ModelEvent[]; ending: StreamEnding; unreadable: number } {
  const decoder = createGeminiDecoder()
  const events = chunks.flatMap(chunk => {
    const own = Buffer.from(chunk)
    const out = decoder.push(own)
    own.fill(0)
    return out
  })
  const { events: last, ending } = decoder.end()
  return { events: [...events, ...last], ending, unreadable: decoder.unreadable }
}

/** Every way to cut the bytes once, and byte by byte. */
export function* everyCut(bytes: Buffer): Generator<Buffer[]> {
  yield [bytes]
  for (let cut = 1; cut < bytes.length; cut += 1) yield [bytes.subarray(0, cut), bytes.subarray(cut)]
  yield Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))
}
