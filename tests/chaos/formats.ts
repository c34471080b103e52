import { PIECE, promptOf, WORDS_PER_PIECE } from './script.ts'

/** A request, independent of the client's format. */
export type ChatRequest = {
  readonly id: string
  readonly model: string
  readonly is_stream: boolean
  readonly wants_usage: boolean
  readonly max_tokens: number | undefined
}

/** The part of its response that a client has read so far. */
export type Reader = {
  read(chunk: Buffer): void
  readonly words: number
  /** The end marker was read; for a body without one, all of the announced length. */
  readonly hasEndMarker: boolean
  readonly hasError: boolean
  /** The error's code, from the response body or from an event of the stream. */
  readonly code: string
}

/** One client format: how its request is written and how its response is read. */
export type Format = {
  readonly path: (request: ChatRequest) => string
  readonly headers: (key: string) => Readonly<Record<string, string>>
  readonly body: (request: ChatRequest) => object
  /** True if this line of a stream is its end marker. */
  readonly isEnd: (line: string) => boolean
}

const UNLIMITED = 4000

/** The client formats of the load. */
export const formats = {
  openai: {
    path: () => '/v1/chat/completions',
    headers: (key) => ({ authorization: `Bearer sk-${key}` }),
    body: ({ id, model, is_stream, wants_usage, max_tokens }) => ({
      model,
      stream: is_stream,
      ...(is_stream && wants_usage ? { stream_options: { include_usage: true } } : {}),
      ...(max_tokens === undefined ? {} : { max_tokens }),
      messages: [{ role: 'user', content: promptOf(id) }],
    }),
    isEnd: (line) => line === 'data: [DONE]',
  },
  anthropic: {
    path: () => '/v1/messages',
    headers: (key) => ({ 'x-api-key': `sk-${key}`, 'anthropic-version': '2023-06-01' }),
    body: ({ id, model, is_stream, max_tokens = UNLIMITED }) => ({
      model,
      stream: is_stream,
      // The format requires a limit.
      max_tokens,
      messages: [{ role: 'user', content: promptOf(id) }],
    }),
    isEnd: (line) => line.startsWith('data: ') && line.includes('"type":"message_stop"'),
  },
  gemini: {
    path: ({ model, is_stream }) => `/v1beta/models/${model}:${is_stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: (key) => ({ 'x-goog-api-key': `sk-${key}` }),
    body: ({ id, max_tokens }) => ({
      contents: [{ role: 'user', parts: [{ text: promptOf(id) }] }],
      ...(max_tokens === undefined ? {} : { generationConfig: { maxOutputTokens: max_tokens } }),
    }),
    // The format has no end marker: the finish reason is the last event.
    isEnd: (line) => line.startsWith('data: ') && line.includes('"finishReason"'),
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats
export const FORMAT_NAMES = Object.keys(formats).filter((name): name is FormatName => name in formats)

/** Reads a response line by line and keeps only counts. */
export function createReader(format: Format, isStream: boolean): Reader {
  let rest = ''
  let words = 0
  let hasEndMarker = false
  let hasError = false
  let code = ''
  const readLine = (line: string): void => {
    words += (line.split(PIECE).length - 1) * WORDS_PER_PIECE
    if (line.includes('"error"')) {
      hasError = true
      code = /"code":\s*"([^"]*)"/.exec(line)?.[1] ?? code
    }
    if (format.isEnd(line.trimEnd())) hasEndMarker = true
  }
  return {
    read: (chunk) => {
      const lines = (rest + chunk.toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) readLine(line)
      // A response that is not a stream is one line without a line break; it is counted once it is complete.
      if (!isStream && isWholeJson(rest)) {
        readLine(rest)
        rest = ''
      }
    },
    get words() {
      return words
    },
    get hasEndMarker() {
      return hasEndMarker
    },
    get hasError() {
      return hasError
    },
    get code() {
      return code
    },
  }
}

function isWholeJson(text: string): boolean {
  if (!text.endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    // Incomplete so far.
    return false
  }
}
