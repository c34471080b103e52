import type { Automaton } from './automaton.ts'
import { unitAt } from '../text-unit.ts'

/** With shorter words there is nothing to skip. */
const SHORTEST = 3
const MAX_SKIP = 255
const SLOTS = 2 ** 13

/** Prefix comparisons allowed per unit of text before the search falls back to the automaton. */
const MAX_COMPARED_PER_UNIT = 2

/**
 * Wu–Manber block search (A fast algorithm for multi-pattern searching, 1994) in front of an automaton: if all words have `shortest`
 * units or more, most units of a text are never read. A text crafted to match many prefixes falls back to the automaton, whose time is
 * linear.
 */
export class SkipSearch {
  readonly #automaton: Automaton
  readonly #shortest: number
  /** Hash of two classes → units to skip if a window ends with them. */
  readonly #skips: Uint8Array

  /** Undefined if a word is too short. */
  static over(words: readonly string[], shortest: number, automaton: Automaton): SkipSearch | undefined {
    return shortest < SHORTEST ? undefined : new SkipSearch(words, shortest, automaton)
  }

  private constructor(words: readonly string[], shortest: number, automaton: Automaton) {
    this.#automaton = automaton
    this.#shortest = Math.min(shortest, MAX_SKIP)
    this.#skips = new Uint8Array(SLOTS).fill(this.#shortest - 1)
    for (const word of words) this.#addWord(word)
  }

  /** A match, spelled as in the text. */
  find(text: string): string | undefined {
    const { classOf } = this.#automaton
    const skips = this.#skips
    const last = this.#shortest - 1
    const size = text.length
    let budget = MAX_COMPARED_PER_UNIT * size
    let end = last
    while (end < size) {
      const skip = skips[slotOf(classOf[unitAt(text, end - 1)] ?? 0, classOf[unitAt(text, end)] ?? 0)] ?? 0
      if (skip > 0) {
        end += skip
        continue
      }
      const matched = this.#automaton.matchAt(text, end - last)
      if (matched > 0) return text.slice(end - last, end - last + matched)
      budget += matched
      if (budget < 0) return this.#automaton.find(text)
      end += 1
    }
    return undefined
  }

  #addWord(word: string): void {
    const { classOf } = this.#automaton
    const last = this.#shortest - 1
    for (let at = 1; at <= last; at += 1) {
      const slot = slotOf(classOf[word.charCodeAt(at - 1)] ?? 0, classOf[word.charCodeAt(at)] ?? 0)
      this.#skips[slot] = Math.min(this.#skips[slot] ?? 0, last - at)
    }
  }
}

function slotOf(left: number, right: number): number {
  return (left * 89 + right) & (SLOTS - 1)
}
