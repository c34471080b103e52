import { countText, estimateTokens, type Family } from '@tollgate/domain/pricing/estimate'

type Encoding = { countTokens(text: string, options: { readonly disallowedSpecial: Set<string> }): number }

/** Loaded on first use, because the tables take tens of megabytes and most relays never need them. */
const LOADERS: Readonly<Partial<Record<Family, () => Promise<Encoding>>>> = {
  o200k: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k: () => import('gpt-tokenizer/encoding/cl100k_base'),
}

/** Control tokens in an answer are counted as text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/**
 * The tokenizer is quadratic in the length of a text without spaces: 56 000 Chinese characters take 11 s in one piece and a fiftieth of
 * that in pieces of this length. A cut costs at most one token.
 */
const PIECE = 512

/** Counts tokens with the model family's tokenizer; where its vocabulary is not published, by the estimate of prompts. */
export async function countTokens(texts: readonly string[], family: Family): Promise<number> {
  const load = LOADERS[family]
  if (load === undefined) return texts.reduce((sum, text) => sum + estimateTokens(countText(text), family), 0)
  const { countTokens: count } = await load()
  let tokens = 0
  for (const text of texts) for (const piece of piecesOf(text)) tokens += count(piece, AS_TEXT)
  return tokens
}

/** Cuts before a space if there is one, because a space belongs to the word after it. */
function* piecesOf(text: string): Generator<string> {
  let from = 0
  while (text.length - from > PIECE) {
    const space = text.lastIndexOf(' ', from + PIECE)
    const end = space > from ? space : from + PIECE
    yield text.slice(from, end)
    from = end
  }
  yield text.slice(from)
}
