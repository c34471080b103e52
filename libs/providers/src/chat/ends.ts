import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { Finish } from './answer-facts.ts'
import type { ModelEvent } from './events.ts'

/**
 * Meaning of a vendor's word for the end of an answer. `other`: the answer ended early for a reason that no format names, which is a
 * failure only of an answer without content. `failure`: the answer is broken.
 */
export type EndMeaning = Finish | 'failure'
export type EndWords = Readonly<Record<string, EndMeaning>>

/** The end of an answer; `failure` if it is no success. */
export type End = {
  readonly finish: Finish
  readonly failure?: UpstreamFailure
  /** The meaning is `other`. */
  readonly isEarly?: boolean
  /** The vendor's word, at most 60 characters, if the table of its format lacks it. */
  readonly unknown?: string
}

/** Reads the vendor's word by the table of its format; `undefined` if there is none. A word that the table lacks is a failure. */
export function readEnd(words: EndWords, word: unknown, detail?: string): End | undefined {
  if (typeof word !== 'string' || word === '') return undefined
  const meaning = Object.hasOwn(words, word) ? words[word] : undefined
  if (meaning !== undefined && meaning !== 'failure' && meaning !== 'other') return { finish: meaning }
  const shown = word.slice(0, MAX_WORD)
  const said = detail === undefined || detail === '' ? '' : `: ${detail}`
  if (meaning === undefined) {
    const failure = brokenAnswer(UNKNOWN_END, `upstream ended the answer with the unknown reason ${shown}${said}`)
    return { finish: 'other', unknown: shown, failure: { ...failure, unknown_end: shown } }
  }
  const failure = brokenAnswer(shown, `upstream ended the answer with ${shown}${said}`)
  return { finish: 'other', failure, isEarly: meaning === 'other' }
}

/** The end of an answer that has an end marker, but no word for its end. */
export const NO_END: UpstreamFailure = brokenAnswer('no_finish_reason', 'upstream ended the answer without a reason')

/** The failure of an answer that is translated: its target cannot say how it ended. */
export function failureInTranslation({ failure, isEarly = false }: End, hasContent: boolean): UpstreamFailure | undefined {
  return isEarly && hasContent ? undefined : failure
}

/** The failure of an answer that passes as the vendor sent it: what it says about its end is for the client, unless there is nothing else. */
export function failureInPassing(end: End | undefined, hasContent: boolean): UpstreamFailure | undefined {
  return hasContent ? undefined : end?.failure
}

/** Events that are a part of the answer itself. */
export function isContent({ kind }: ModelEvent): boolean {
  return !NO_CONTENT.has(kind)
}

const MAX_WORD = 60
const UNKNOWN_END = 'unknown_finish_reason'
const NO_CONTENT: ReadonlySet<ModelEvent['kind']> = new Set(['start', 'block-break', 'reasoning-signature', 'usage', 'finish', 'failed'])

/** The failure of an answer that arrived, but is not one. */
export function brokenAnswer(code: string, message: string): UpstreamFailure {
  return { kind: 'refused', status: 502, type: 'upstream_error', code, message }
}
