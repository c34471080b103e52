export type StreamPart = {
  readonly content?: string
  readonly reasoning?: string
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
  /** Pieces of calls of tools, by their place. */
  readonly calls?: readonly CallPiece[]
  /** The message of an error inside the stream. */
  readonly error?: string
  readonly isDone?: true
}

export type CallPiece = { readonly index: number; readonly id: string; readonly name: string; readonly arguments: string }

/** Reads server-sent events of a chat: one part per `data` line, until `[DONE]`. */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamPart> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  let isOver = false
  let hasEnded = false
  try {
    for (;;) {
      const { value, done } = await reader.read()
      isOver = done
      if (hasEnded && !done) continue
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split(/\r?\n/)
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) {
        const part = toPart(line)
        if (part === undefined) continue
        yield part
        if (part.isDone !== true) continue
        hasEnded = true
        break
      }
      if (done) return
    }
  } finally {
    // The reader of the parts has stopped before the end.
    if (!isOver) await reader.cancel().catch(() => undefined)
  }
}

/** Undefined for comments, other fields and lines that are no JSON. */
export function toPart(line: string): StreamPart | undefined {
  if (!line.startsWith('data:')) return undefined
  const data = line.slice('data:'.length).trim()
  if (data === '[DONE]') return { isDone: true }
  const chunk = parse(data)
  if (chunk === undefined) return undefined
  const error = textOf(field(field(chunk, 'error'), 'message'))
  const choices = field(chunk, 'choices')
  const delta = field(Array.isArray(choices) ? choices[0] : undefined, 'delta')
  const content = textOf(field(delta, 'content'))
  const reasoning = textOf(field(delta, 'reasoning_content')) ?? textOf(field(delta, 'reasoning'))
  const usage = field(chunk, 'usage')
  const prompt_tokens = field(usage, 'prompt_tokens')
  const completion_tokens = field(usage, 'completion_tokens')
  return {
    ...(error === undefined ? {} : { error }),
    ...(content === undefined ? {} : { content }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...callsOf(field(delta, 'tool_calls')),
    ...(typeof prompt_tokens === 'number' && typeof completion_tokens === 'number' ? { usage: { prompt_tokens, completion_tokens } } : {}),
  }
}

function callsOf(pieces: unknown): Pick<StreamPart, 'calls'> {
  if (!Array.isArray(pieces) || pieces.length === 0) return {}
  return {
    calls: pieces.map((piece: unknown, at) => {
      const index = field(piece, 'index')
      const called = field(piece, 'function')
      return {
        index: typeof index === 'number' ? index : at,
        id: textOf(field(piece, 'id')) ?? '',
        name: textOf(field(called, 'name')) ?? '',
        arguments: textOf(field(called, 'arguments')) ?? '',
      }
    }),
  }
}

/** The message of a refused call: the OpenAI error object, the console's envelope, or the text itself. */
export function errorText(status: number, body: string): string {
  const parsed = parse(body)
  const message = textOf(field(field(parsed, 'error'), 'message')) ?? textOf(field(parsed, 'message'))
  return message ?? (body.trim() === '' ? `HTTP ${status}` : body.trim())
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON: the caller shows the text, or skips the line.
    return undefined
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
