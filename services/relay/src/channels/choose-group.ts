import type { PassedReason } from '@tollgate/contracts/relay/model-fallbacks'
import type { SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { PricedGroup } from '../request/cost-estimate.ts'
import type { Held } from '../request/phases.ts'
import type { ChannelCapacity } from '../limits/channel-capacity.ts'
import { createChannelKeyChooser, type ChooserDeps, type ChooserInput, type ChosenChannelKey, type Tried } from './choose-channel-key.ts'

type Deps = ChooserDeps & { readonly sharedLimits: SharedLimits }
type Chosen = ChosenChannelKey | undefined

export type GroupChooser = {
  choose(retries_left: number): Chosen | Promise<Chosen>
  /** True if a model of the chain is left. */
  hasNextModel(): boolean
  /** The attempts of this model are used up: the next choice is one of the next model. */
  leaveModel(): void
}

/**
 * Chooses the channel key of each attempt from the request's group and, when none is left there, from the next group or model that has one
 * and that the hold and its limits allow. The move changes group, model and prices of the request. Channels that pause are tried only when
 * no group has another.
 */
export function createGroupChooser(held: Held, capacity: ChannelCapacity, deps: Deps): GroupChooser {
  const { admission: first, next_groups } = held
  const counter = { next: 0 }
  if (next_groups.length === 0) {
    const { choose } = createChannelKeyChooser(held, { admission: first, capacity, tried: new Map(), counter }, deps)
    return { choose, hasNextModel: () => false, leaveModel: () => undefined }
  }
  const { calls } = held.progress
  const left = [...next_groups]
  const triedBy = new Map<string, Tried>()
  const triedFor = (model: string): Tried => {
    const tried: Tried = triedBy.get(model) ?? new Map()
    triedBy.set(model, tried)
    return tried
  }
  const chooserOf = (admission: ChooserInput['admission'], needs_usable: boolean) =>
    createChannelKeyChooser(held, { admission, capacity, tried: triedFor(admission.model), counter, has_groups: true, needs_usable }, deps)
  let current: ChooserInput['admission'] = first
  let chooser = chooserOf(current, true)
  let isLast = false
  let isSpent = false
  /** Later models whose channels pause. */
  const paused: PricedGroup[] = []
  /** Notes why a model of the chain does not serve the request, once. */
  const pass = (model: string, reason: PassedReason): void => {
    if (first.chain !== undefined && !calls.passed.some((one) => one.model === model)) calls.passed = [...calls.passed, { model, reason }]
  }
  const moveTo = (next: PricedGroup): void => {
    if (next.model !== current.model)
      pass(current.model, hasTried(calls, current.model, held.request.chat.model) ? 'failed' : chooser.lack())
    // From here on the request is charged in another group, or for another model.
    calls.group = next
    current = next
  }
  const enter = async (next: PricedGroup, needs_usable: boolean): Promise<boolean> => {
    const following = chooserOf(next, needs_usable)
    const why = needs_usable && !following.hasUsable() ? following.lack() : !covers(held, next) ? 'hold' : undefined
    const reason = why ?? ((await takeGroup(held, next, deps.sharedLimits)) ? undefined : 'limit')
    if (reason === undefined) {
      moveTo(next)
      chooser = following
      isSpent = false
      return true
    }
    if (reason === 'no-channel' && next.model !== current.model) paused.push(next)
    if (next.model !== current.model && !left.some(({ model }) => model === next.model)) pass(next.model, reason)
    return false
  }
  const choose = async (retries_left: number): Promise<Chosen> => {
    for (;;) {
      const chosen = isSpent ? undefined : await chooser.choose(retries_left)
      if (chosen !== undefined) return chosen
      const next = left.shift()
      if (next !== undefined) await enter(next, true)
      else if (isSpent || isLast) {
        if (!(await enterPaused())) return undefined
      } else {
        isLast = true
        chooser = chooserOf(current, false)
      }
    }
  }
  /** A channel that pauses is better than none for a model that was not tried. */
  const enterPaused = async (): Promise<boolean> => {
    isLast = true
    for (let next = paused.shift(); next !== undefined; next = paused.shift()) if (await enter(next, false)) return true
    return false
  }
  return {
    choose,
    hasNextModel: () => left.some(({ model }) => model !== current.model) || paused.some(({ model }) => model !== current.model),
    leaveModel: () => {
      while (left[0]?.model === current.model) left.shift()
      isSpent = true
    },
  }
}

const hasTried = ({ attempts }: Held['progress']['calls'], model: string, asked: string): boolean =>
  attempts.some((attempt) => (attempt.model ?? asked) === model)

/** True if the hold reaches what the group requires at least. */
function covers({ hold, caller: { record } }: Held, { costEstimate: { least } }: PricedGroup): boolean {
  if (hold.wallet_held < least) return false
  return record.token_id === 0 || record.is_unlimited || hold.token_held >= least
}

/** Exchanges the leases of the group and model that are left for those of the next; false: the next is full. */
async function takeGroup(held: Held, { model, limits, costEstimate }: PricedGroup, shared: SharedLimits): Promise<boolean> {
  const { calls } = held.progress
  const isOther = model !== calls.group.model
  const isLeft = ({ of }: { readonly of: string }): boolean => of === 'group' || (isOther && of === 'model')
  const left = calls.leases.filter(isLeft)
  const own = limits.shared.filter(isLeft)
  if (own.length === 0 && left.length === 0) return true
  const taken = await shared.take({ request_id: held.context.id, tokens: costEstimate.tokens, limits: own })
  if (taken.kind === 'over-limit') return false
  if (left.length > 0) void shared.release(left, 0)
  // Without an answer of Redis the request continues, because it was admitted.
  calls.leases = [...calls.leases.filter((lease) => !left.includes(lease)), ...(taken.kind === 'taken' ? taken.leases : [])]
  return true
}
