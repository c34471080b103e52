import type { Trie } from './trie.ts'
import { unitAt } from '../text-unit.ts'

/** Largest transition table: 8 MB. */
const MAX_TABLE_CELLS = 2 ** 21

/**
 * An Aho–Corasick automaton over case-folded UTF-16 units. Units that occur in no word have class 0 and lead to the root. Edges are
 * in one open-addressed hash table; if nodes × classes is small, a full transition table is built as well. Search time depends only on
 * the length of the text.
 */
export class Automaton {
  readonly classOf: Uint16Array
  /** Class → child of the root. */
  readonly #root: Int32Array
  /** Unit → child of the root; skips units that begin no word with one lookup. */
  readonly #first: Int32Array
  readonly #mask: number
  /** Slot → parent node + 1 (0: free), class, node. */
  readonly #froms: Int32Array
  readonly #classes: Uint16Array
  readonly #tos: Int32Array
  readonly #fail: Int32Array
  /** Length of the longest word that ends in this node; 0: none. */
  readonly #match: Int32Array
  /** Node × class → next node; empty if it would be too large. */
  readonly #table: Int32Array

  constructor(trie: Trie) {
    const count = trie.parent.length
    const slots = 2 ** Math.ceil(Math.log2(count * 2 + 2))
    this.classOf = trie.classOfUnits()
    this.#root = new Int32Array(trie.classes)
    this.#mask = slots - 1
    this.#froms = new Int32Array(slots)
    this.#classes = new Uint16Array(slots)
    this.#tos = new Int32Array(slots)
    this.#fail = new Int32Array(count)
    this.#match = new Int32Array(count)
    for (let node = 1; node < count; node += 1) this.#place(trie.parent[node] ?? 0, trie.classOfNode[node] ?? 0, node)
    this.#first = Int32Array.from(this.classOf, (unitClass) => this.#root[unitClass] ?? 0)
    const order = Array.from(trie.parent.keys())
      .slice(1)
      .toSorted((left, right) => (trie.depth[left] ?? 0) - (trie.depth[right] ?? 0))
    this.#link(trie, order)
    this.#table = count * trie.classes > MAX_TABLE_CELLS ? new Int32Array(0) : this.#buildTable([0, ...order])
  }

  /** The match that ends first, spelled as in the text; of several that end there, the longest. */
  find(text: string): string | undefined {
    let node = 0
    for (let index = 0; index < text.length; index += 1) {
      const unit = unitAt(text, index)
      if (node === 0) {
        node = this.#first[unit] ?? 0
        if (node === 0) continue
      } else {
        const unitClass = this.classOf[unit] ?? 0
        node = unitClass === 0 ? 0 : this.#step(node, unitClass)
      }
      const length = this.#match[node] ?? 0
      if (length > 0) return text.slice(index + 1 - length, index + 1)
    }
    return undefined
  }

  /** The length of the word that matches at `start`, or the negative length of the longest matching prefix. */
  matchAt(text: string, start: number): number {
    let node = this.#first[unitAt(text, start)] ?? 0
    let at = start + 1
    while (node !== 0 && this.#match[node] !== at - start && at < text.length) {
      const unitClass = this.classOf[unitAt(text, at)] ?? 0
      node = unitClass === 0 ? 0 : this.#edge(node, unitClass)
      at += 1
    }
    return node !== 0 && this.#match[node] === at - start ? at - start : start - at
  }

  #step(from: number, unitClass: number): number {
    if (this.#table.length > 0) return this.#table[from * this.#root.length + unitClass] ?? 0
    return this.#walk(from, unitClass)
  }

  #walk(from: number, unitClass: number): number {
    let node = from
    while (node !== 0) {
      const next = this.#edge(node, unitClass)
      if (next !== 0) return next
      node = this.#fail[node] ?? 0
    }
    return this.#root[unitClass] ?? 0
  }

  #edge(node: number, unitClass: number): number {
    for (let slot = this.#hash(node, unitClass); ; slot = (slot + 1) & this.#mask) {
      const from = this.#froms[slot] ?? 0
      if (from === 0) return 0
      if (from === node + 1 && this.#classes[slot] === unitClass) return this.#tos[slot] ?? 0
    }
  }

  #place(from: number, unitClass: number, to: number): void {
    if (from === 0) {
      this.#root[unitClass] = to
      return
    }
    let slot = this.#hash(from, unitClass)
    while (this.#froms[slot] !== 0) slot = (slot + 1) & this.#mask
    this.#froms[slot] = from + 1
    this.#classes[slot] = unitClass
    this.#tos[slot] = to
  }

  /** Computes failure links in breadth-first order. */
  #link(trie: Trie, order: readonly number[]): void {
    for (const node of order) {
      const parent = trie.parent[node] ?? 0
      const fail = parent === 0 ? 0 : this.#walk(this.#fail[parent] ?? 0, trie.classOfNode[node] ?? 0)
      this.#fail[node] = fail
      this.#match[node] = trie.isWord[node] === true ? (trie.depth[node] ?? 0) : (this.#match[fail] ?? 0)
    }
  }

  /** Builds the transition table; `order` puts every node after its failure link. */
  #buildTable(order: readonly number[]): Int32Array {
    const width = this.#root.length
    const cells = new Int32Array(order.length * width)
    for (const node of order) {
      const fail = this.#fail[node] ?? 0
      for (let unitClass = 1; unitClass < width; unitClass += 1) {
        const own = node === 0 ? this.#root[unitClass] : this.#edge(node, unitClass) || cells[fail * width + unitClass]
        cells[node * width + unitClass] = own ?? 0
      }
    }
    return cells
  }

  #hash(node: number, unitClass: number): number {
    return ((Math.imul(node, 0x9e3779b1) ^ Math.imul(unitClass, 0x85ebca6b)) >>> 7) & this.#mask
  }
}
