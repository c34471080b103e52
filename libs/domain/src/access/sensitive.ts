import { Automaton } from './automaton.ts'
import { needsWholeFold } from './fold-case.ts'
import { SkipSearch } from './skip-search.ts'
import { Trie } from './trie.ts'

/** Sensitive words made ready for search: made once per snapshot by `buildWordSearch`, read by `findSensitive`. */
export type WordSearch = {
  /** Words that fitted; the rest were left out to keep memory bounded. */
  readonly size: number
  readonly left_out: number
  readonly find: (text: string) => string | undefined
}

/** Nodes at most, some 6 MB when compiled. One node is one letter of a word that no other word shares. */
const MAX_NODES = 200_000

/** Words are compared without case; empty ones are ignored. */
export function buildWordSearch(words: readonly string[]): WordSearch {
  const lower = [...new Set(words.map((word) => word.trim().toLowerCase()).filter((word) => word !== ''))]
  const trie = new Trie(MAX_NODES)
  const added = lower.filter((word) => trie.add(word))
  const automaton = new Automaton(trie)
  const search = SkipSearch.over(added, trie.shortest, automaton) ?? automaton
  const isWhole = added.some(needsWholeFold)
  return {
    size: added.length,
    left_out: lower.length - added.length,
    find: (text) => search.find(isWhole ? text.toLowerCase() : text),
  }
}

/** A sensitive word that the text contains, in lower case. */
export function findSensitive(search: WordSearch, text: string): string | undefined {
  return search.size === 0 ? undefined : search.find(text)?.toLowerCase()
}
