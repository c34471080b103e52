import type { MissingFact } from '@tollgate/contracts/resources/what-if'
import { chainAfter, fallbacksOf, type PassedReason } from '@tollgate/contracts/relay/model-fallbacks'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { Attempt, RecordedChoice, RecordedDraw } from '@tollgate/contracts/relay/usage-event'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { chooseChannel } from '../channel-choice/choose.ts'
import { numbersOf } from '../channel-choice/numbers-of.ts'
import { STATE_LETTERS } from '../channel-choice/record-choice.ts'
import { recordedChannels, recordedInput } from '../channel-choice/recorded-input.ts'
import { changedChannels, changedDraw, type Changes } from './changed-draw.ts'
import type { RecordedRequest, WhatIfFacts } from './facts.ts'

/** `recorded`: it was called and this came of it. `rate`: drawn by the observed rate. `unmeasured`: no call was observed. */
export type OutcomeBasis = 'recorded' | 'rate' | 'unmeasured'

/** One call of a channel. */
export type ReplayedCall = {
  readonly channel_id: number
  readonly group: string
  readonly model: string
  readonly is_answered: boolean
  readonly basis: OutcomeBasis
  /** The recorded attempt, if it is one. */
  readonly attempt: Attempt | undefined
}

export type ReplayedRequest =
  | { readonly kind: 'missing'; readonly fact: MissingFact }
  /** `is_same`: the recorded channels in the recorded order, with the recorded end. */
  | { readonly kind: 'replayed'; readonly calls: readonly ReplayedCall[]; readonly is_same: boolean }

/**
 * Chooses the channels of a recorded request again, by the relay's own functions, with its recorded facts and what the configuration
 * changes. A call that was made has its recorded outcome; another one has that of the channel's observed rate, by a number that follows
 * from the request's seed.
 */
export function replayRequest(request: RecordedRequest, changes: Changes, facts: WhatIfFacts): ReplayedRequest {
  const { attempts, choice, is_cut } = request.explanation
  if (choice === undefined || choice.draws.length === 0) return missing(is_cut ? 'cut' : 'choice')
  return new Replay(request, choice, {
    changes,
    facts,
    called: attempts.filter((_, at) => attempts[at - 1]?.retry !== 'same-channel'),
  }).run()
}

const missing = (fact: MissingFact): ReplayedRequest => ({ kind: 'missing', fact })

/** Calls whose answer is text, which alone have a chain of models. */
const TEXT_CALLS = /\/(?:completions|messages|responses|interactions)$|:(?:stream)?generateContent$/i

/** Draws of attempts that were not recorded begin here, far from those that a record can have. */
const OUTCOME_DRAWS = 1_000_000

type Given = { readonly changes: Changes; readonly facts: WhatIfFacts; readonly called: readonly Attempt[] }
type Tried = Map<number, Set<string>>

class Replay {
  readonly #request: RecordedRequest
  readonly #choice: RecordedChoice
  readonly #changes: Changes
  readonly #facts: WhatIfFacts
  readonly #called: readonly Attempt[]
  readonly #before: readonly ChannelSnapshot[]
  readonly #after: readonly ChannelSnapshot[]
  readonly #asked: string
  readonly #calls: ReplayedCall[] = []
  readonly #unused: Set<Attempt>
  readonly #visited = new Set<string>()

  constructor(request: RecordedRequest, choice: RecordedChoice, { changes, facts, called }: Given) {
    this.#request = request
    this.#choice = choice
    this.#changes = changes
    this.#facts = facts
    this.#called = called
    this.#before = recordedChannels(request.explanation.candidates, choice)
    this.#after = changedChannels(this.#before, changes)
    this.#asked = request.explanation.fallback?.asked ?? request.model
    this.#unused = new Set(called)
  }

  run(): ReplayedRequest {
    const { draws } = this.#choice
    const triedBy = new Map<string, Tried>()
    let made = 0
    for (const [at, draw] of draws.entries()) {
      const model = this.#modelOf(draw)
      // Another chain leads elsewhere once the attempts of a model are used up.
      if (at > 0 && this.#changes.fallbacks !== undefined && this.#modelOf(draws[at - 1]) !== model) return this.#leaveModel(at - 1)
      this.#visited.add(model)
      const tried = triedBy.get(model) ?? new Map<number, Set<string>>()
      triedBy.set(model, tried)
      const recorded = this.#choose(draw, at, { channels: this.#before, tried })
      const attempt = recorded.channel === undefined ? undefined : this.#called[made]
      if (recorded.channel !== undefined && attempt !== undefined && attempt.channel_id !== recorded.channel.id) return missing('differs')
      const changed = this.#changed(draw)
      const isUnchanged = changed === draw && this.#after === this.#before
      const chosen = isUnchanged ? recorded : this.#choose(changed, at, { channels: this.#after, tried })
      if (chosen.channel?.id !== recorded.channel?.id) return this.#diverge(at, { chosen: chosen.channel, tried, left: draw.left })
      if (recorded.channel === undefined) continue
      made += 1
      // Nothing was sent, because the client had left.
      if (attempt === undefined) return this.#end(true)
      tried.set(recorded.channel.id, (tried.get(recorded.channel.id) ?? new Set()).add(recorded.key_id))
      this.#take(draw, attempt)
      if (attempt.outcome === 'answered') break
    }
    if (made < this.#called.length && this.#calls.at(-1)?.is_answered !== true) return missing('differs')
    const isFailed = this.#calls.at(-1)?.is_answered !== true
    if (isFailed && this.#changes.fallbacks !== undefined && !this.#isFinal()) return this.#leaveModel(draws.length - 1, true)
    return this.#end(true)
  }

  #end(is_same: boolean): ReplayedRequest {
    return { kind: 'replayed', calls: this.#calls, is_same }
  }

  #modelOf(draw: RecordedDraw | undefined): string {
    return draw?.model ?? this.#asked
  }

  #groupOf(draw: RecordedDraw | undefined): string {
    return draw?.group ?? this.#request.group
  }

  #idsOf({ ids }: RecordedDraw): readonly number[] {
    return ids ?? this.#before.map(({ id }) => id)
  }

  #changed(draw: RecordedDraw, letterOf?: (id: number, recorded: string) => string | undefined): RecordedDraw {
    const { ids } = draw
    const [group, model] = [this.#groupOf(draw), this.#modelOf(draw)]
    const given = { draw, ids: ids ?? this.#idsOf(draw), group, model, changes: this.#changes, facts: this.#facts }
    return changedDraw(letterOf === undefined ? given : { ...given, letterOf })
  }

  #choose(draw: RecordedDraw, at: number, { channels, tried }: { readonly channels: readonly ChannelSnapshot[]; readonly tried: Tried }) {
    const { seed } = this.#choice
    return chooseChannel({ ...recordedInput(draw, { channels, choice: this.#choice, tried }), random: numbersOf(seed, draw.n ?? at) })
  }

  #take(draw: RecordedDraw, attempt: Attempt): void {
    this.#unused.delete(attempt)
    const is_answered = attempt.outcome === 'answered'
    const { channel_id } = attempt
    this.#calls.push({ channel_id, group: this.#groupOf(draw), model: this.#modelOf(draw), is_answered, basis: 'recorded', attempt })
  }

  /** The request itself was refused, or its client left: no other channel changes that. */
  #isFinal(): boolean {
    const last = this.#called.at(-1)
    if (last === undefined || last.outcome === 'answered') return false
    if (last.outcome === 'aborted') return true
    return last.outcome === 'refused' && last.retry === 'no' && (this.#choice.draws.at(-1)?.left ?? 0) > 0
  }

  /** Goes on where the configuration leads elsewhere than the record. */
  #diverge(
    from: number,
    first: { readonly chosen: ChannelSnapshot | undefined; readonly tried: Tried; readonly left: number },
  ): ReplayedRequest {
    const { draws } = this.#choice
    const tried: Tried = new Map([...first.tried].map(([id, keys]) => [id, new Set(keys)]))
    let { chosen, left } = first
    let at = from
    let n = this.#nextNumber()
    let draw = draws[at]
    for (;;) {
      if (draw === undefined) return this.#end(false)
      if (chosen !== undefined) {
        if (this.#call(draw, chosen.id) !== 'retry') return this.#end(false)
        tried.set(chosen.id, new Set(['']))
        left -= 1
        if (left < 0) return this.#leaveModel(at)
        const following = draws[at + 1]
        if (following !== undefined && this.#modelOf(following) === this.#modelOf(draw) && following.group === draw.group) at += 1
      } else {
        const next = draws.findIndex((one, index) => index > at && this.#modelOf(one) === this.#modelOf(draw) && isOther(one, draw))
        if (next < 0) {
          if (draw.group !== undefined && draw.needs_usable === true && !this.#hasLaterModel(at)) return missing('groups')
          return this.#leaveModel(at)
        }
        at = next
      }
      draw = draws[at]
      if (draw === undefined) return this.#end(false)
      chosen = this.#choose(this.#changed({ ...draw, left, n }, this.#lettersAt(at, tried)), at, { channels: this.#after, tried }).channel
      n += 1
    }
  }

  #hasLaterModel(at: number): boolean {
    const { draws } = this.#choice
    return draws.slice(at + 1).some((draw) => this.#modelOf(draw) !== this.#modelOf(draws[at]))
  }

  #nextNumber(): number {
    const { draws } = this.#choice
    return draws.reduce((most, { n }, at) => Math.max(most, n ?? at), 0) + 1
  }

  /** Channels tried in the replay count as tried, and those tried only in the record as they were before. */
  #lettersAt(at: number, tried: Tried): (id: number, recorded: string) => string | undefined {
    const { draws } = this.#choice
    const model = this.#modelOf(draws[at])
    return (id, recorded) => {
      if (tried.has(id)) return STATE_LETTERS['already-tried']
      if (recorded !== STATE_LETTERS['already-tried']) return undefined
      for (let before = at - 1; before >= 0; before -= 1) {
        const draw = draws[before]
        if (draw === undefined || this.#modelOf(draw) !== model) continue
        const letter = draw.states[this.#idsOf(draw).indexOf(id)]
        if (letter !== undefined && letter !== STATE_LETTERS['already-tried']) return letter
      }
      return undefined
    }
  }

  /** Calls a channel: as recorded, if it was called for this model; else by the rate of its failures. */
  #call(draw: RecordedDraw, channel_id: number): 'answered' | 'retry' | 'final' {
    const [group, model] = [this.#groupOf(draw), this.#modelOf(draw)]
    const own = [...this.#unused].find((one) => one.channel_id === channel_id && (one.model ?? this.#asked) === model)
    if (own !== undefined) {
      this.#take(draw, own)
      if (own.outcome === 'answered') return 'answered'
      return own === this.#called.at(-1) && this.#isFinal() ? 'final' : 'retry'
    }
    if (this.#isFinal()) {
      this.#calls.push({ channel_id, group, model, is_answered: false, basis: 'recorded', attempt: undefined })
      return 'final'
    }
    const rate = this.#facts.failureRateOf(channel_id, model)
    const is_answered = rate === undefined || numbersOf(this.#choice.seed, OUTCOME_DRAWS + this.#calls.length)() >= rate
    this.#calls.push({ channel_id, group, model, is_answered, basis: rate === undefined ? 'unmeasured' : 'rate', attempt: undefined })
    return is_answered ? 'answered' : 'retry'
  }

  /** Goes on with the next model of the chain, if there is one. `is_recorded`: so far everything went as recorded. */
  #leaveModel(at: number, is_recorded = false): ReplayedRequest {
    const { draws } = this.#choice
    const left = draws[0]?.left ?? 0
    const group = this.#groupOf(draws[at])
    for (const model of this.#chainAfter(at)) {
      if (this.#visited.has(model)) continue
      this.#visited.add(model)
      const first = draws.findIndex((draw) => draw.model === model)
      const recorded = draws[first]
      if (recorded !== undefined) {
        const tried: Tried = new Map()
        const { channel } = this.#choose(this.#changed(recorded, this.#lettersAt(first, tried)), first, { channels: this.#after, tried })
        if (channel !== undefined) return this.#diverge(first, { chosen: channel, tried, left })
        continue
      }
      const ended = this.#callModel({ model, group, left })
      if (ended !== 'no-channel') return this.#end(false)
    }
    return this.#end(is_recorded)
  }

  #chainAfter(at: number): readonly string[] {
    const { fallback } = this.#request.explanation
    const { draws } = this.#choice
    const isOwn = fallback?.by === 'client' || fallback?.by === 'token'
    const recorded = draws.slice(at + 1).flatMap(({ model }) => (model === undefined ? [] : [model]))
    if (isOwn || (this.#changes.fallbacks === undefined && recorded.length > 0)) return recorded
    if (!TEXT_CALLS.test(this.#request.path)) return []
    const chains = this.#changes.fallbacks ?? this.#facts.fallbacks
    const found = fallbacksOf(chains, { group: this.#groupOf(draws[0]), model: this.#asked })
    const refused = new Set((fallback?.passed ?? []).filter(({ reason }) => LASTING.has(reason)).map(({ model }) => model))
    return chainAfter(this.#asked, found?.models ?? []).filter((model) => !refused.has(model))
  }

  /** Calls the channels of a model of which nothing was recorded, as they are configured now. */
  #callModel({ model, group, left }: { readonly model: string; readonly group: string; readonly left: number }) {
    const configured = this.#facts.channelsOf(group, model)
    const ids = configured.map(({ id }) => id)
    const states = configured.map(({ status }) => (status === ChannelStatus.enabled ? 'u' : STATE_LETTERS.disabled)).join('')
    // From here on the letter says whether a channel is on, which the configuration can change.
    const channels = changedChannels(configured, this.#changes).map((channel) => ({ ...channel, status: ChannelStatus.enabled }))
    const tried: Tried = new Map()
    const plain: RecordedDraw = { left, states, ids, group, model }
    let n = this.#nextNumber()
    for (let rest = left; rest >= 0; rest -= 1) {
      const letterOf = (id: number): string | undefined => (tried.has(id) ? STATE_LETTERS['already-tried'] : undefined)
      const draw = this.#changed({ ...plain, left: rest, n }, letterOf)
      const { channel } = this.#choose(draw, 0, { channels, tried })
      if (channel === undefined) return this.#calls.at(-1)?.model === model ? 'failed' : 'no-channel'
      if (this.#call(draw, channel.id) !== 'retry') return 'ended'
      tried.set(channel.id, new Set(['']))
      n += 1
    }
    return 'no-channel'
  }
}

const isOther = (one: RecordedDraw, draw: RecordedDraw | undefined): boolean =>
  one.group !== draw?.group || one.needs_usable !== draw?.needs_usable

/** Reasons that say something about the request and not about a moment. */
const LASTING: ReadonlySet<PassedReason> = new Set(['unknown', 'unpriced', 'not-allowed', 'unsupported', 'hold'])

/** The calls of a record as they were made. */
export function recordedCalls({ explanation, group, model }: RecordedRequest): ReplayedCall[] {
  const { attempts, fallback } = explanation
  const asked = fallback?.asked ?? model
  return attempts
    .filter((_, at) => attempts[at - 1]?.retry !== 'same-channel')
    .map((attempt) => ({
      channel_id: attempt.channel_id,
      group: attempt.group ?? group,
      model: attempt.model ?? asked,
      is_answered: attempt.outcome === 'answered',
      basis: 'recorded',
      attempt,
    }))
}
