/** An Aho–Corasick automaton over UTF-16 units in compact arrays. Opaque: made by `buildAutomaton`, read by `findSensitive`. */
export type Automaton = {
  /** Words that fitted; the rest were left out to keep memory bounded. */
  readonly size: number
  readonly left_out: number
  readonly find: (text: string) => string | undefined
}

/** Nodes at most: about 12 MB. One node is one letter of a word that no other word shares. */
const MAX_NODES = 400_000

/** Builds the automaton once per snapshot. Words are compared without case; empty ones are ignored. */
export function buildAutomaton(words: readonly string[]): Automaton {
  const trie = new Trie()
  let size = 0
  let left_out = 0
  for (const word of words) {
    const folded = fold(word.trim())
    if (folded === '') continue
    if (trie.add(folded)) size += 1
    else left_out += 1
  }
  trie.link()
  return { size, left_out, find: text => trie.find(fold(text)) }
}

/** The first sensitive word that ends in the text, in lower case. */
export function findSensitive(automaton: Automaton, text: string): string | undefined {
  return automaton.size === 0 ? undefined : automaton.find(text)
}

/** Words and texts are folded alike; a hit is cut from the folded text. */
function fold(text: string): string {
  return text.toLowerCase()
}

/** Edges live in one hash map from (node, unit) to node; failure links are made after the last word. */
class Trie {
  readonly #edges = new Map<number, number>()
  readonly #parent: number[] = [0]
  readonly #unit: number[] = [0]
  readonly #depth: number[] = [0]
  readonly #isWord: boolean[] = [false]
  #fail = new Int32Array(1)
  /** Length of the longest word that ends in this node; 0: none. */
  #match = new Int32Array(1)

  add(word: string): boolean {
    if (this.#parent.length + word.length > MAX_NODES) return false
    let node = 0
    for (let index = 0; index < word.length; index += 1) node = this.#grow(node, word.charCodeAt(index))
    this.#isWord[node] = true
    return true
  }

  link(): void {
    const count = this.#parent.length
    this.#fail = new Int32Array(count)
    this.#match = new Int32Array(count)
    for (const node of this.#byDepth()) {
      const parent = this.#parent[node] ?? 0
      const fail = parent === 0 ? 0 : this.#step(this.#fail[parent] ?? 0, this.#unit[node] ?? 0)
      this.#fail[node] = fail
      this.#match[node] = this.#isWord[node] === true ? (this.#depth[node] ?? 0) : (this.#match[fail] ?? 0)
    }
  }

  find(text: string): string | undefined {
    let node = 0
    for (let index = 0; index < text.length; index += 1) {
      node = this.#step(node, text.charCodeAt(index))
      const length = this.#match[node] ?? 0
      if (length > 0) return text.slice(index + 1 - length, index + 1)
    }
    return undefined
  }

  #grow(node: number, unit: number): number {
    const key = edgeKey(node, unit)
    const known = this.#edges.get(key)
    if (known !== undefined) return known
    const next = this.#parent.push(node) - 1
    this.#unit.push(unit)
    this.#depth.push((this.#depth[node] ?? 0) + 1)
    this.#isWord.push(false)
    this.#edges.set(key, next)
    return next
  }

  #step(from: number, unit: number): number {
    let node = from
    for (;;) {
      const next = this.#edges.get(edgeKey(node, unit))
      if (next !== undefined) return next
      if (node === 0) return 0
      node = this.#fail[node] ?? 0
    }
  }

  #byDepth(): number[] {
    return Array.from({ length: this.#parent.length - 1 }, (_, index) => index + 1)
      .toSorted((left, right) => (this.#depth[left] ?? 0) - (this.#depth[right] ?? 0))
  }
}

function edgeKey(node: number, unit: number): number {
  return node * 0x10000 + unit
}
