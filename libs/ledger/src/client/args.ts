import type { Limits } from '@tollgate/contracts/relay/limits'
import { keys } from '@tollgate/redis/keys'
import { reserveBudgets } from './budget-args.ts'
import type { OwnLimits, RequestWindow, ReserveInput, SettleInput } from './types.ts'
import { limitArguments } from '../limits/limit-state.ts'
import { asciiArg, numberArg, textArg, argsOf, type Args } from '@tollgate/redis/scripts/script-call'

/*
 * Arguments of reserve and settle, encoded directly as RESP text: as lists they would be forty strings per call.
 */

export function reserveKeys({ shard, user_id, token_id, limits }: ReserveInput): Args {
  const { fence, held } = keysOf(shard)
  const total = asciiArg(keys.userWindow(shard, user_id, 'total'))
  const text = fence + accountKeys(shard, user_id, token_id) + held + total + successKey(shard, user_id)
  return limits === undefined ? { count: 9, text } : { count: 13, text: text + ownLimitKeys(shard, user_id, token_id) }
}

export function settleKeys({ shard, user_id, token_id, limits }: SettleInput): Args {
  const { fence, ended } = keysOf(shard)
  const text = fence + accountKeys(shard, user_id, token_id) + ended + successKey(shard, user_id)
  return limits === undefined ? { count: 10, text } : { count: 14, text: text + ownLimitKeys(shard, user_id, token_id) }
}

/** KEYS of the scripts that end a request (settle, reap). */
export function endKeys(shard: number, userId: number, tokenId: number): string[] {
  return [keys.fence(shard), keys.wallet(shard, userId), keys.token(shard, tokenId), ...endedKeys(shard)]
}

function endedKeys(shard: number): string[] {
  return [
    keys.holds(shard),
    keys.holdTimes(shard),
    keys.pendingEvents(shard),
    keys.progress(shard),
    keys.tombstones(shard),
    keys.usage(shard),
  ]
}

type ShardKeys = { readonly fence: string; readonly held: string; readonly ended: string }
const shards = new Map<number, ShardKeys>()

/** Encoded keys that all requests of a shard share. */
function keysOf(shard: number): ShardKeys {
  const known = shards.get(shard)
  if (known !== undefined) return known
  const made = {
    fence: asciiArg(keys.fence(shard)),
    held: argsOf([keys.holds(shard), keys.holdTimes(shard), keys.pendingEvents(shard), keys.usage(shard)]).text,
    ended: argsOf(endedKeys(shard)).text,
  }
  shards.set(shard, made)
  return made
}

function accountKeys(shard: number, userId: number, tokenId: number): string {
  return asciiArg(keys.wallet(shard, userId)) + asciiArg(keys.token(shard, tokenId))
}

const successKey = (shard: number, userId: number): string => asciiArg(keys.userWindow(shard, userId, 'success'))

function ownLimitKeys(shard: number, userId: number, tokenId: number): string {
  return (
    asciiArg(keys.minute(shard, 'user', userId)) +
    asciiArg(keys.slots(shard, 'user', userId)) +
    asciiArg(keys.minute(shard, 'token', tokenId)) +
    asciiArg(keys.slots(shard, 'token', tokenId))
  )
}

export function reserveArguments(input: ReserveInput, backlogCap: number): Args {
  const text =
    asciiArg(input.request_id) +
    numberArg(input.user_id) +
    numberArg(input.token_id) +
    numberArg(input.user_auth) +
    numberArg(input.token_auth) +
    textArg(input.relay_id) +
    numberArg(input.want) +
    numberArg(input.least) +
    numberArg(Math.floor(input.not_after)) +
    numberArg(backlogCap) +
    windowArgs(input.windows, 'total') +
    windowArgs(input.windows, 'success') +
    textArg(input.pendingEvent)
  const { limits, budgets } = input
  if (limits === undefined && budgets === undefined) return { count: 15, text }
  const own = limits === undefined ? NO_LIMITS : argsOf([limits.tokens, ...limitArguments(limits.user), ...limitArguments(limits.token)])
  if (budgets === undefined) return { count: 15 + own.count, text: text + own.text }
  return { count: 16 + own.count, text: text + own.text + asciiArg(reserveBudgets(budgets)) }
}

/** Keeps the place of ARGV 16 to 22. */
const NO_LIMITS = argsOf(['', '', '', '', '', '', ''])
const NO_WINDOW = numberArg(-1) + numberArg(0)

function windowArgs(windows: readonly RequestWindow[], name: RequestWindow['name']): string {
  for (const window of windows) if (window.name === name) return numberArg(window.max) + numberArg(window.window_ms)
  return NO_WINDOW
}

export function settleArguments(input: SettleInput): Args {
  const text =
    asciiArg(input.request_id) +
    numberArg(input.user_id) +
    numberArg(input.token_id) +
    numberArg(input.charge) +
    numberArg(input.wallet_held) +
    numberArg(input.token_held) +
    numberArg(input.epoch) +
    numberArg(input.success_window_ms) +
    textArg(input.body)
  const { limits, budgets } = input
  if (limits === undefined && budgets === undefined) return { count: 9, text }
  const own =
    limits === undefined
      ? NO_USED_LIMITS
      : numberArg(limits.used) + numberArg(takenFrom(limits.user, limits)) + numberArg(takenFrom(limits.token, limits))
  if (budgets === undefined) return { count: 12, text: text + own }
  return { count: 13, text: text + own + asciiArg(budgets) }
}

/** Keeps the place of ARGV 10 to 12. */
const NO_USED_LIMITS = asciiArg('') + asciiArg('') + asciiArg('')

/** Tokens that reserve counted in the minute: the estimate, or the whole limit if smaller; 0 without a token limit. */
function takenFrom({ tpm }: Limits, { tokens }: OwnLimits): number {
  return tpm === undefined ? 0 : Math.min(tokens, tpm)
}
