import { Automaton } from './automaton.ts'
import { needsFullLowerCase } from './fold-case.ts'
import { SkipSearch } from './skip-search.ts'
import { Trie } from './trie.ts'

/** Sensitive words compiled for search, once per snapshot. */
export type WordSearch = {
  /** Words in the index; the rest were left out to bound its memory. */
  readonly size: number
  readonly left_out: number
  readonly find: (text: string) => string | undefined
}

/** Trie nodes, about 6 MB compiled. */
const MAX_NODES = 200_000

/** Builds the index. Matching ignores case; empty words are dropped. */
export function buildWordSearch(words: readonly string[]): WordSearch {
  const lower = [...new Set(words.map((word) => word.trim().toLowerCase()).filter((word) => word !== ''))]
  const trie = new Trie(MAX_NODES)
  const added = lower.filter((word) => trie.add(word))
  const automaton = new Automaton(trie)
  const search = SkipSearch.over(added, trie.shortest, automaton) ?? automaton
  const isLowered = added.some(needsFullLowerCase)
  return {
    size: added.length,
    left_out: lower.length - added.length,
    find: (text) => search.find(isLowered ? text.toLowerCase() : text),
  }
}

/** A sensitive word that the text contains, in lower case; undefined if there is none. */
export function findSensitive(search: WordSearch, text: string): string | undefined {
  return search.size === 0 ? undefined : search.find(text)?.toLowerCase()
}
