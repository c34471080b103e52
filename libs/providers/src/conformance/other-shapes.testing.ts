import type { JsonObject } from '../json.ts'
import { completions } from '../operations/completions.ts'
import { embeddings } from '../operations/embeddings.ts'
import { geminiEmbeddings } from '../operations/gemini-embeddings.ts'
import { images } from '../operations/images.ts'
import { moderations } from '../operations/moderations.ts'
import type { Operation } from '../calls/operation.ts'
import { rerank } from '../operations/rerank.ts'
import { geminiTokenCount, messageTokenCount } from '../operations/token-count.ts'
import { SHAPES } from './shapes.testing.ts'

type OtherShape = { readonly operation: Operation; shape(n: number): JsonObject }

const MODEL = { model: 'the-model' }
const list = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at))
const ofChat = (client: 'anthropic-messages' | 'gemini', name: string) => (n: number) => SHAPES[client][name]?.(n) ?? {}

/** Tests only: bodies of operations that are no chat, of any length. */
export const OTHER_SHAPES: Readonly<Record<string, OtherShape>> = {
  'many texts to embed': { operation: embeddings, shape: (n) => ({ ...MODEL, input: list(n, (at) => `text ${at}`) }) },
  'a long text to embed': { operation: embeddings, shape: (n) => ({ ...MODEL, input: 'word '.repeat(10 * n) }) },
  'many tokens to embed': { operation: embeddings, shape: (n) => ({ ...MODEL, input: list(n, (at) => at) }) },
  'many requests to embed': {
    operation: geminiEmbeddings('batchEmbedContents'),
    shape: (n) => ({ requests: list(n, () => ({ model: 'models/the-model', content: { parts: [{ text: 'x' }] } })) }),
  },
  'a long prompt': { operation: completions, shape: (n) => ({ ...MODEL, prompt: 'word '.repeat(10 * n) }) },
  'many documents': { operation: rerank, shape: (n) => ({ ...MODEL, query: 'x', documents: list(n, (at) => `text ${at}`) }) },
  'many texts to moderate': { operation: moderations, shape: (n) => ({ ...MODEL, input: list(n, (at) => `text ${at}`) }) },
  'a long description of a picture': { operation: images, shape: (n) => ({ ...MODEL, prompt: 'word '.repeat(10 * n) }) },
  'many turns to count': { operation: messageTokenCount, shape: ofChat('anthropic-messages', 'many turns') },
  'many calls to count': { operation: messageTokenCount, shape: ofChat('anthropic-messages', 'many calls, answered backwards') },
  'many parts to count': { operation: geminiTokenCount, shape: ofChat('gemini', 'many parts') },
}
