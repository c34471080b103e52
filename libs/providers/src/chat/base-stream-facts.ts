import type { Usage } from '@tollgate/contracts/pricing/quote'
import { emptyCounts, type CharacterCounts, type CountInto } from '@tollgate/contracts/pricing/character-counts'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { Delivered, StreamFacts } from './stream.ts'
import type { Finish } from './answer-facts.ts'

/** The facts of a running answer, a few hundred bytes. Subclasses read the events. */
export abstract class BaseStreamFacts implements StreamFacts {
  readonly delivered: Delivered = { text: emptyCounts(), reasoning: emptyCounts(), tools: emptyCounts(), tool_calls: 0 }
  abstract readonly usage: Usage | undefined
  abstract readonly raw_usage: string | undefined
  abstract readonly finish: Finish | undefined
  failure: UpstreamFailure | undefined
  hasContent = false
  hasBegun = false
  answers: number | undefined
  served_tier: string | undefined
  served_model: string | undefined
  unreadable = 0
  readonly #count: CountInto

  constructor(count: CountInto) {
    this.#count = count
  }

  /** Records an error object that is too large to be parsed. */
  failLarge(): void {
    this.failure = { kind: 'malformed', message: 'upstream sent an error larger than can be read' }
  }

  /** Counts text of the answer, if there is any. */
  protected add(counts: CharacterCounts, text: string | undefined): void {
    if (text === undefined || text === '') return
    this.hasContent = true
    this.#count(counts, text)
  }

  /** Counts the answer at this position. After an event that was not parsed, their number is not known. */
  protected countAnswer(index: unknown): void {
    if (this.answers !== undefined && typeof index === 'number' && index >= this.answers) this.answers = index + 1
  }

  /** Counts a piece of an unparsed event that is known to be text of the answer. */
  protected addUnparsed(counts: CharacterCounts, text: string): void {
    this.hasBegun = true
    this.hasContent = true
    this.answers = undefined
    this.#count(counts, text)
  }
}
