import type { Automaton } from './automaton.ts'
import { unitAt } from '../text-unit.ts'

/** Words shorter than this leave nothing to skip. */
const SHORTEST = 3
const MAX_SKIP = 255
const SLOTS = 2 ** 13

/** What agrees with beginnings of words may cost so many units per unit of the text; a text that costs more is read unit by unit. */
const PATIENCE = 2

/**
 * The search by blocks of Wu and Manber (A fast algorithm for multi-pattern searching, 1994) in front of an automaton: where all
 * words have `shortest` units or more, most units of a text are never looked at. A text made to agree with many beginnings is left
 * to the automaton, whose time nobody can raise.
 */
export class SkipSearch {
  readonly #automaton: Automaton
  readonly #shortest: number
  /** Hash of two classes → units that may be passed over when a window ends in them. */
  readonly #skips: Uint8Array

  /** Undefined: one of the words is too short. */
  static over(words: readonly string[], shortest: number, automaton: Automaton): SkipSearch | undefined {
    return shortest < SHORTEST ? undefined : new SkipSearch(words, shortest, automaton)
  }

  private constructor(words: readonly string[], shortest: number, automaton: Automaton) {
    this.#automaton = automaton
    this.#shortest = Math.min(shortest, MAX_SKIP)
    this.#skips = new Uint8Array(SLOTS).fill(this.#shortest - 1)
    for (const word of words) this.#note(word)
  }

  /** Some word of the text, as the text spells it. */
  find(text: string): string | undefined {
    const { classOf } = this.#automaton
    const skips = this.#skips
    const last = this.#shortest - 1
    const size = text.length
    let patience = PATIENCE * size
    let end = last
    while (end < size) {
      const skip = skips[slotOf(classOf[unitAt(text, end - 1)] ?? 0, classOf[unitAt(text, end)] ?? 0)] ?? 0
      if (skip > 0) {
        end += skip
        continue
      }
      const agreed = this.#automaton.agreeAt(text, end - last)
      if (agreed > 0) return text.slice(end - last, end - last + agreed)
      patience += agreed
      if (patience < 0) return this.#automaton.find(text)
      end += 1
    }
    return undefined
  }

  #note(word: string): void {
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
