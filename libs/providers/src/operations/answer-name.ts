import { splice, textSpanAt } from '../json-splice.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import type { Translator } from '../calls/operation.ts'
import { RewrittenStream } from './rewritten-stream.ts'

type Path = readonly string[]

/** Where an answer names its model: in a whole answer, and in the events of a stream. Formats without it name none. */
const MODEL_AT: Partial<Record<ApiFormat, { readonly whole: Path; readonly event: Path }>> = {
  'openai-chat': { whole: ['model'], event: ['model'] },
  'openai-completions': { whole: ['model'], event: ['model'] },
  'openai-responses': { whole: ['model'], event: ['response', 'model'] },
  'anthropic-messages': { whole: ['model'], event: ['message', 'model'] },
  gemini: { whole: ['modelVersion'], event: ['modelVersion'] },
  'openai-embeddings': { whole: ['model'], event: ['model'] },
  'openai-moderations': { whole: ['model'], event: ['model'] },
  rerank: { whole: ['model'], event: ['model'] },
}

/** A translator between equal formats whose answers have this name as their model; every other byte stays the vendor's. */
export function namingAnswers(translator: Translator, model: string): Translator {
  const at = MODEL_AT[translator.format]
  if (at === undefined) return translator
  let isArray = false
  return {
    ...translator,
    streamType: (content_type) => {
      const type = translator.streamType(content_type)
      isArray = type === 'application/json'
      return type
    },
    // The entries of an array have no boundaries in the bytes, so they keep the vendor's name.
    openStream: () =>
      isArray ? translator.openStream() : new RewrittenStream(translator.openStream(), (event) => rename(event, at.event, model)),
    readWhole: (bytes, content_type) => {
      const read = translator.readWhole(bytes, content_type)
      if (read.kind === 'failed' || read.content_type !== 'application/json') return read
      return { ...read, bytes: rename(read.bytes, at.whole, model) }
    },
  }
}

const OPEN = 0x7b

/** The bytes with another text at the path of their first object. */
function rename(bytes: Buffer, path: Path, model: string): Buffer {
  const open = bytes.indexOf(OPEN)
  const span = open === -1 ? undefined : textSpanAt(bytes, open, path)
  return span === undefined ? bytes : splice(bytes, [{ ...span, text: JSON.stringify(model) }])
}
