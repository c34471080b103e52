import type { KnownRed } from './cells.ts'

const LATE_INPUT =
  'the client reads the input tokens only from the start of a stream, when only Anthropic knows them; the final event has the real ones'

const ONE_CALL = 'the client sends the first of two calls of an answer back, so the result of the second belongs to none'

export const KNOWN_RED: readonly KnownRed[] = [
  { client: 'go langchaingo (anthropic)', vendor: 'openai', case: 'tools', reason: ONE_CALL },
  { client: 'go langchaingo (anthropic)', vendor: 'chat', case: 'tools', reason: ONE_CALL },
  {
    client: 'go langchaingo (anthropic)',
    vendor: 'gemini',
    case: 'tools',
    reason: 'the client fails at `redacted_thinking`, a block of Anthropic that brings the signature of a call back to Gemini',
  },
  { client: 'node langchain (anthropic)', vendor: 'openai', case: 'usage', reason: LATE_INPUT },
  { client: 'node langchain (anthropic)', vendor: 'chat', case: 'usage', reason: LATE_INPUT },
  {
    client: 'node langchain (anthropic)',
    vendor: 'anthropic',
    case: 'usage',
    reason: 'the client adds the output tokens of the first and the last event, which repeats them; bytes pass untouched here',
  },
]
