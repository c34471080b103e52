import type { Trie } from './trie.ts'
import { unitAt } from '../text-unit.ts'

/** Cells of the written-out table at most: 8 MB. */
const MAX_CELLS = 2 ** 21

/**
 * An Aho–Corasick automaton over UTF-16 units without case. Units that occur in no word are class 0 and lead back to the root at
 * once; what begins no word is passed over by one look at a table. Edges lie in one open-addressed table of 32-bit numbers; where
 * nodes times classes are few, every step is written out beforehand. Its time depends on the text's length alone.
 */
export class Automaton {
  readonly classOf: Uint16Array
  /** Class → node behind the root. */
  readonly #root: Int32Array
  /** Unit → node behind the root: what most of a text is passed over by. */
  readonly #first: Int32Array
  readonly #mask: number
  /** Slot → parent node + 1 (0: free), class, node. */
  readonly #froms: Int32Array
  readonly #classes: Uint16Array
  readonly #tos: Int32Array
  readonly #fail: Int32Array
  /** Length of the longest word that ends in this node; 0: none. */
  readonly #match: Int32Array
  /** Node × class → node; empty where it would be too large. */
  readonly #cells: Int32Array

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
    this.#cells = count * trie.classes > MAX_CELLS ? new Int32Array(0) : this.#writeOut([0, ...order])
  }

  /** The word that ends first, as the text spells it; of several that end there, the longest. */
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

  /** Units that agree with the beginning of some word from `start` on, at most a whole word; negative: they are no word. */
  agreeAt(text: string, start: number): number {
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
    if (this.#cells.length > 0) return this.#cells[from * this.#root.length + unitClass] ?? 0
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

  /** Failure links, nearest to the root first. */
  #link(trie: Trie, order: readonly number[]): void {
    for (const node of order) {
      const parent = trie.parent[node] ?? 0
      const fail = parent === 0 ? 0 : this.#walk(this.#fail[parent] ?? 0, trie.classOfNode[node] ?? 0)
      this.#fail[node] = fail
      this.#match[node] = trie.isWord[node] === true ? (trie.depth[node] ?? 0) : (this.#match[fail] ?? 0)
    }
  }

  /** The step of every node and class; a node behind its failure link, which is nearer to the root. */
  #writeOut(order: readonly number[]): Int32Array {
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
