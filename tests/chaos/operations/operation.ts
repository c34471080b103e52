import type { WalletEntryKind } from '@tollgate/contracts/enums'
import type { PaymentVendors } from '@tollgate/testing/payment-vendors'
import type { Random } from '../random.ts'
import type { CodePool } from './code-pool.ts'
import type { Session } from './session.ts'
import type { Tasks } from './task.ts'

/** A credit or debit that an operation books if it succeeds. `reward` is a row of `invite_rewards`, every other kind a wallet entry. */
export type ExpectedEntry = {
  readonly kind: WalletEntryKind | 'reward'
  /** Unique with `kind`; see `readBookedEntries`. */
  readonly key: string
  readonly amount: number
  /** Names of the users of whom one gets it. */
  readonly usernames: readonly string[]
}

/** `unanswered`: the last call got no response, so the entries may exist or not. */
export type Outcome = 'booked' | 'refused' | 'unanswered'

export type OperationResult = { readonly outcome: Outcome; readonly entries: readonly ExpectedEntry[] }

/** An operation as its client saw it; times are Unix milliseconds. */
export type OperationRecord = OperationResult & { readonly kind: string; readonly started_at: number; readonly ended_at: number }

export type Operator = { readonly session: Session; readonly inviteCode: string }

export type OperationContext = {
  /** Address of the control plane. */
  readonly url: string
  readonly root: Session
  readonly operators: readonly Operator[]
  readonly vendors: PaymentVendors
  readonly codes: CodePool
  readonly tasks: Tasks
  readonly random: Random
  /** A number that no other call of this run gets. */
  readonly serial: () => number
}

export type Operation = {
  /** Relative frequency. */
  readonly weight: number
  readonly run: (context: OperationContext) => Promise<OperationResult>
}

export const REFUSED: OperationResult = { outcome: 'refused', entries: [] }
