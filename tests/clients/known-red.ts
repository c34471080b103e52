import type { KnownRed } from './cells.ts'

const LATE_INPUT =
  'the client reads the input tokens only from the start of a stream, when only Anthropic knows them; the final event has the real ones'

const NO_SCHEMA = 'the client writes the schema into the prompt in Python’s notation, which the scripted vendor does not recognise'
const SNAKE_CASE =
  'the client writes `function_declarations`, which Gemini reads and the scripted vendor does not; bytes pass untouched here'

export const KNOWN_RED: readonly KnownRed[] = [
  { client: 'python litellm (gemini)', vendor: '*', case: 'schema', reason: NO_SCHEMA },
  { client: 'python litellm (gemini)', vendor: 'gemini', case: 'tools', reason: SNAKE_CASE },
  { client: 'node langchain (anthropic)', vendor: 'openai', case: 'usage', reason: LATE_INPUT },
  { client: 'node langchain (anthropic)', vendor: 'chat', case: 'usage', reason: LATE_INPUT },
  {
    client: 'node langchain (anthropic)',
    vendor: 'anthropic',
    case: 'usage',
    reason: 'the client adds the output tokens of the first and the last event, which repeats them; bytes pass untouched here',
  },
]
