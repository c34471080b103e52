import type { Quota, UnixMillis } from '@tollgate/contracts/units'
import { decodeBudgets, type BudgetPart } from './budget-args.ts'

/** An open hold, as stored in `hold:`. */
export type OpenHold = {
  readonly kind: 'open'
  readonly user_id: number
  readonly token_id: number
  readonly wallet_held: Quota
  readonly token_held: Quota
  readonly relay_id: string
  readonly epoch: number
  readonly reserved_at: UnixMillis
  /** Absent: no budget counts the request. */
  readonly budgets?: readonly BudgetPart[]
}

/** Remainder of an ended request: `reaped` may be corrected once, `done` is final. */
export type Tombstone = {
  readonly kind: 'reaped' | 'done'
  readonly user_id: number
  readonly token_id: number
  readonly token_held: Quota
  readonly charge: Quota
  readonly at: UnixMillis
}

/** Decodes one field of `hold:` (format: scripts/common.lua); undefined for any other text. */
export function decodeHold(text: string): OpenHold | Tombstone | undefined {
  const [mark, user, token, ...rest] = text.split('|')
  const ids = { user_id: Number(user), token_id: Number(token) }
  if (mark === 'o') {
    const [walletHeld, tokenHeld, relay_id = '', epoch, at, budgets] = rest
    return {
      kind: 'open',
      ...ids,
      wallet_held: Number(walletHeld),
      token_held: Number(tokenHeld),
      relay_id,
      epoch: Number(epoch),
      reserved_at: Number(at),
      ...(budgets === undefined ? {} : { budgets: decodeBudgets(budgets) }),
    }
  }
  if (mark !== 'r' && mark !== 'd') return undefined
  const [tokenHeld, charge, at] = rest
  return { kind: mark === 'r' ? 'reaped' : 'done', ...ids, token_held: Number(tokenHeld), charge: Number(charge), at: Number(at) }
}

/** Encodes a tombstone in the format of scripts/common.lua. */
export function encodeTombstone({ kind, user_id, token_id, token_held, charge, at }: Tombstone): string {
  return [kind === 'reaped' ? 'r' : 'd', user_id, token_id, token_held, charge, at].join('|')
}
