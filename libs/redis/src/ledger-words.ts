import type { Limits } from '@tollgate/contracts/limits'
import { keys } from './keys.ts'
import type { OwnLimits, RequestWindow, ReserveInput, SettleInput } from './ledger-types.ts'
import { limitArguments } from './limit-state.ts'
import { asciiWord, numberWord, textWord, wordsOf, type Words } from './script-call.ts'

/*
 * The words of the two calls of a request, written straight into text: of lists they would be forty strings that nobody wants apart.
 */

export function reserveKeys({ shard, user_id, token_id, limits }: ReserveInput): Words {
  const { gate, held } = keysOf(shard)
  const total = asciiWord(keys.userWindow(shard, user_id, 'total'))
  const text = gate + accountKeys(shard, user_id, token_id) + held + total + successKey(shard, user_id)
  return limits === undefined ? { count: 9, text } : { count: 13, text: text + ownLimitKeys(shard, user_id, token_id) }
}

export function settleKeys({ shard, user_id, token_id, limits }: SettleInput): Words {
  const { gate, ended } = keysOf(shard)
  const text = gate + accountKeys(shard, user_id, token_id) + ended + successKey(shard, user_id)
  return limits === undefined ? { count: 10, text } : { count: 14, text: text + ownLimitKeys(shard, user_id, token_id) }
}

/** Keys of the scripts that end a request (settle, reap), in their order. */
export function endKeys(shard: number, userId: number, tokenId: number): string[] {
  return [keys.gate(shard), keys.wallet(shard, userId), keys.token(shard, tokenId), ...endedKeys(shard)]
}

function endedKeys(shard: number): string[] {
  return [keys.holds(shard), keys.holdTimes(shard), keys.drafts(shard), keys.progress(shard), keys.tombstones(shard), keys.usage(shard)]
}

type ShardKeys = { readonly gate: string; readonly held: string; readonly ended: string }
const shards = new Map<number, ShardKeys>()

/** What the keys of all requests of a shard have in common; there are some hundred shards. */
function keysOf(shard: number): ShardKeys {
  const known = shards.get(shard)
  if (known !== undefined) return known
  const made = {
    gate: asciiWord(keys.gate(shard)),
    held: wordsOf([keys.holds(shard), keys.holdTimes(shard), keys.drafts(shard), keys.usage(shard)]).text,
    ended: wordsOf(endedKeys(shard)).text,
  }
  shards.set(shard, made)
  return made
}

function accountKeys(shard: number, userId: number, tokenId: number): string {
  return asciiWord(keys.wallet(shard, userId)) + asciiWord(keys.token(shard, tokenId))
}

const successKey = (shard: number, userId: number): string => asciiWord(keys.userWindow(shard, userId, 'success'))

function ownLimitKeys(shard: number, userId: number, tokenId: number): string {
  return (
    asciiWord(keys.minute(shard, 'user', userId)) +
    asciiWord(keys.slots(shard, 'user', userId)) +
    asciiWord(keys.minute(shard, 'token', tokenId)) +
    asciiWord(keys.slots(shard, 'token', tokenId))
  )
}

export function reserveArguments(input: ReserveInput, backlogCap: number): Words {
  const text =
    asciiWord(input.request_id) +
    numberWord(input.user_id) +
    numberWord(input.token_id) +
    numberWord(input.user_auth) +
    numberWord(input.token_auth) +
    textWord(input.owner) +
    numberWord(input.want) +
    numberWord(input.least) +
    numberWord(Math.floor(input.not_after)) +
    numberWord(backlogCap) +
    windowWords(input.windows, 'total') +
    windowWords(input.windows, 'success') +
    textWord(input.draft)
  const { limits } = input
  if (limits === undefined) return { count: 15, text }
  const own = wordsOf([limits.tokens, ...limitArguments(limits.user), ...limitArguments(limits.token)])
  return { count: 15 + own.count, text: text + own.text }
}

const NO_WINDOW = numberWord(-1) + numberWord(0)

function windowWords(windows: readonly RequestWindow[], name: RequestWindow['name']): string {
  for (const window of windows) if (window.name === name) return numberWord(window.max) + numberWord(window.window_ms)
  return NO_WINDOW
}

export function settleArguments(input: SettleInput): Words {
  const text =
    asciiWord(input.request_id) +
    numberWord(input.user_id) +
    numberWord(input.token_id) +
    numberWord(input.charge) +
    numberWord(input.wallet_held) +
    numberWord(input.token_held) +
    numberWord(input.epoch) +
    numberWord(input.success_window_ms) +
    textWord(input.body)
  const { limits } = input
  if (limits === undefined) return { count: 9, text }
  const own = numberWord(limits.used) + numberWord(takenFrom(limits.user, limits)) + numberWord(takenFrom(limits.token, limits))
  return { count: 12, text: text + own }
}

/** What reserve counted in this minute: the estimate, or the whole limit where that is smaller; 0: it has no such limit. */
function takenFrom({ tpm }: Limits, { tokens }: OwnLimits): number {
  return tpm === undefined ? 0 : Math.min(tokens, tpm)
}
