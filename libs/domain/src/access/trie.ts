import { foldedUnits } from './fold-case.ts'

/** Collects words before the automaton is built. UTF-16 units that differ only in case share one class. */
export class Trie {
  readonly parent: number[] = [0]
  readonly classOfNode: number[] = [0]
  readonly depth: number[] = [0]
  readonly isWord: boolean[] = [false]
  /** Length of the shortest word. */
  shortest = Infinity
  classes = 1
  readonly #edges = new Map<number, number>()
  readonly #classOfFolded = new Uint16Array(0x10000)
  readonly #max: number

  constructor(maxNodes: number) {
    this.#max = maxNodes
  }

  /** False if the word does not fit. */
  add(word: string): boolean {
    if (this.parent.length + word.length > this.#max) return false
    let node = 0
    for (let index = 0; index < word.length; index += 1) node = this.#grow(node, this.#classify(word.charCodeAt(index)))
    this.isWord[node] = true
    this.shortest = Math.min(this.shortest, word.length)
    return true
  }

  /** Class of each UTF-16 unit; 0 if no word contains it. */
  classOfUnits(): Uint16Array {
    return foldedUnits.map((unit) => this.#classOfFolded[unit] ?? 0)
  }

  #classify(unit: number): number {
    const folded = foldedUnits[unit] ?? unit
    if (this.#classOfFolded[folded] === 0) {
      this.#classOfFolded[folded] = this.classes
      this.classes += 1
    }
    return this.#classOfFolded[folded] ?? 0
  }

  #grow(node: number, unitClass: number): number {
    const key = node * 0x10000 + unitClass
    const known = this.#edges.get(key)
    if (known !== undefined) return known
    const next = this.parent.push(node) - 1
    this.classOfNode.push(unitClass)
    this.depth.push((this.depth[node] ?? 0) + 1)
    this.isWord.push(false)
    this.#edges.set(key, next)
    return next
  }
}
