import type { KnownRed } from './cells.ts'

const LATE_INPUT =
  'the client reads the input tokens only from the start of a stream, when only Anthropic knows them; the final event has the real ones'

export const KNOWN_RED: readonly KnownRed[] = [
  { client: 'node langchain (anthropic)', vendor: 'openai', case: 'usage', reason: LATE_INPUT },
  { client: 'node langchain (anthropic)', vendor: 'chat', case: 'usage', reason: LATE_INPUT },
  {
    client: 'node langchain (anthropic)',
    vendor: 'anthropic',
    case: 'usage',
    reason: 'the client adds the output tokens of the first and the last event, which repeats them; bytes pass untouched here',
  },
]
