import type { SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { PricedGroup } from '../request/cost-estimate.ts'
import type { Held } from '../request/phases.ts'
import type { ChannelCapacity } from '../limits/channel-capacity.ts'
import { createChannelKeyChooser, type ChooserDeps, type ChooserInput, type ChosenChannelKey, type Tried } from './choose-channel-key.ts'

type Deps = ChooserDeps & { readonly sharedLimits: SharedLimits }
type Chosen = ChosenChannelKey | undefined

/**
 * Chooses the channel key of each attempt from the request's group and, when none is left there, from the next group that has one and
 * that the hold and its limits allow. The move changes the group and the prices of the request. Channels that pause are tried only when
 * no group has another.
 */
export function createGroupChooser(
  held: Held,
  capacity: ChannelCapacity,
  deps: Deps,
): { choose(retries_left: number): Chosen | Promise<Chosen> } {
  const { admission: first, next_groups } = held
  const tried: Tried = new Map()
  const counter = { next: 0 }
  if (next_groups.length === 0) return createChannelKeyChooser(held, { admission: first, capacity, tried, counter }, deps)
  const left = [...next_groups]
  const chooserOf = (admission: ChooserInput['admission'], needs_usable: boolean) =>
    createChannelKeyChooser(held, { admission, capacity, tried, counter, has_groups: true, needs_usable }, deps)
  let current: ChooserInput['admission'] = first
  let chooser = chooserOf(current, true)
  let isLast = false
  const choose = async (retries_left: number): Promise<Chosen> => {
    for (;;) {
      const chosen = await chooser.choose(retries_left)
      if (chosen !== undefined || isLast) return chosen
      const next = left.shift()
      if (next === undefined) {
        isLast = true
        chooser = chooserOf(current, false)
      } else {
        const following = chooserOf(next, true)
        if (following.hasUsable() && covers(held, next) && (await takeGroup(held, next, deps.sharedLimits))) {
          // From here on the request is charged in another group.
          held.progress.calls.group = next
          current = next
          chooser = following
        }
      }
    }
  }
  return { choose }
}

/** Whether the hold reaches what the group requires at least. */
function covers({ hold, caller: { record } }: Held, { costEstimate: { least } }: PricedGroup): boolean {
  if (hold.wallet_held < least) return false
  return record.token_id === 0 || record.is_unlimited || hold.token_held >= least
}

/** Exchanges the leases of the group that is left for those of the next; false: the next is full. */
async function takeGroup(held: Held, { limits, costEstimate }: PricedGroup, shared: SharedLimits): Promise<boolean> {
  const { calls } = held.progress
  const left = calls.leases.filter(({ of }) => of === 'group')
  const own = limits.shared.filter(({ of }) => of === 'group')
  if (own.length === 0 && left.length === 0) return true
  const taken = await shared.take({ request_id: held.context.id, tokens: costEstimate.tokens, limits: own })
  if (taken.kind === 'over-limit') return false
  if (left.length > 0) void shared.release(left, 0)
  // Without an answer of Redis the request continues, because it was admitted.
  calls.leases = [...calls.leases.filter((lease) => !left.includes(lease)), ...(taken.kind === 'taken' ? taken.leases : [])]
  return true
}
