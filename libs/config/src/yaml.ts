import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml'

export type YamlText = {
  readonly document: Document
  readonly lines: LineCounter
  /** In the order of their lines; the document can be used if there are none. */
  readonly faults: readonly { readonly line: number; readonly message: string }[]
}

/** The parser reports an overflow of its stack as an error of the text. */
const OVERFLOW = /^Maximum call stack size exceeded.*/s

/** Parses a text of any size. The parser's own search for repeated keys compares each with all others: minutes for a long price list. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const errors = document.errors.map(({ pos, message }) => ({ at: pos[0], message: message.replace(OVERFLOW, 'It is nested too deep') }))
  const faults = [...errors, ...repeatedKeys(document.contents)].toSorted((one, other) => one.at - other.at)
  return { document, lines, faults: faults.map(({ at, message }) => ({ line: lines.linePos(at).line, message })) }
}

type Fault = { readonly at: number; readonly message: string }

function repeatedKeys(node: unknown): Fault[] {
  if (isSeq(node)) return node.items.flatMap(repeatedKeys)
  if (!isMap(node)) return []
  const seen = new Set<unknown>()
  const own = node.items.flatMap(({ key }): Fault[] => {
    if (!isScalar(key)) return []
    const isRepeated = seen.has(key.value)
    seen.add(key.value)
    return isRepeated ? [{ at: key.range?.[0] ?? 0, message: 'Map keys must be unique' }] : []
  })
  return [...own, ...node.items.flatMap(({ value }) => repeatedKeys(value))]
}
