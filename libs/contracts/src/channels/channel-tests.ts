import { z } from 'zod'
import { TEST_CAPABILITIES } from './channel-capabilities.ts'
import { optionalFault } from '../failures/fault.ts'
import { UnixSeconds } from '../units.ts'

export const TestCapability = z.enum(TEST_CAPABILITIES)
export type TestCapability = z.infer<typeof TestCapability>

/** Capabilities that a healthy channel may lack: a failed test of one says nothing about the channel. */
export const EXTRA_CAPABILITIES: ReadonlySet<TestCapability | ChannelTest['capability']> = new Set(['tools', 'image'])

/** The last test of a channel for one capability. */
export const ChannelTest = z.object({
  /** `list`: only the vendor's list of models was read. */
  capability: z.enum(['chat', 'stream', 'tools', 'embeddings', 'image', 'rerank', 'moderation', 'list']),
  ok: z.boolean(),
  /** HTTP status of upstream's answer; 0: no answer. */
  status: z.int(),
  /** Why it failed; empty when it passed. */
  message: z.string(),
  fault: optionalFault,
  model: z.string(),
  /** The last characters of the key that was tested. */
  key: z.string().optional(),
  time_ms: z.number(),
  at: UnixSeconds,
})
export type ChannelTest = z.infer<typeof ChannelTest>

/** Reads a channel's `tests`, newest first; unreadable text gives none. */
export function parseChannelTests(text: string): ChannelTest[] {
  if (text === '') return []
  try {
    return z.array(ChannelTest).safeParse(JSON.parse(text)).data ?? []
  } catch {
    // Not JSON: written by another version.
    return []
  }
}

/** The tests with a newer one, which replaces the last of its capability. */
export function withChannelTest(tests: readonly ChannelTest[], test: ChannelTest): ChannelTest[] {
  return [test, ...tests.filter(({ capability }) => capability !== test.capability)]
}
