import { compile, type Compiled } from './automaton.ts'
import { areFew, compileFew } from './few-words.ts'

/** Sensitive words made ready for search: made once per snapshot by `buildAutomaton`, read by `findSensitive`. */
export type Automaton = {
  /** Words that fitted; the rest were left out to keep memory bounded. */
  readonly size: number
  readonly left_out: number
  readonly compiled: Compiled
}

/** Nodes at most, some 6 MB when compiled. One node is one letter of a word that no other word shares. */
const MAX_NODES = 200_000

/** Words are compared without case; empty ones are ignored. */
export function buildAutomaton(words: readonly string[]): Automaton {
  const folded = new Set(words.map((word) => word.trim().toLowerCase()).filter((word) => word !== ''))
  if (areFew(folded)) return { size: folded.size, left_out: 0, compiled: compileFew([...folded]) }
  const { compiled, added } = compile(folded, MAX_NODES)
  return { size: added, left_out: folded.size - added, compiled }
}

/** The first sensitive word that ends in the text, in lower case. */
export function findSensitive(automaton: Automaton, text: string): string | undefined {
  return automaton.size === 0 ? undefined : automaton.compiled.find(text.toLowerCase())
}
