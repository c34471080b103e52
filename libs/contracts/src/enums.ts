/** Codes that are sent in the API or stored in columns; the numbers are fixed by the specification. */

export const Role = { guest: 0, user: 1, admin: 10, root: 100 } as const
export type Role = (typeof Role)[keyof typeof Role]

export const UserStatus = { enabled: 1, disabled: 2 } as const
export type UserStatus = (typeof UserStatus)[keyof typeof UserStatus]

export const TokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export type TokenStatus = (typeof TokenStatus)[keyof typeof TokenStatus]

export const ChannelStatus = { unknown: 0, enabled: 1, disabled: 2, autoDisabled: 3 } as const
export type ChannelStatus = (typeof ChannelStatus)[keyof typeof ChannelStatus]

export const RedemptionStatus = { unused: 1, disabled: 2, used: 3 } as const
export type RedemptionStatus = (typeof RedemptionStatus)[keyof typeof RedemptionStatus]

/** `refused` is ours: other gateways use the numbers after 5 for entries of their own. */
export const LogType = { topUp: 1, consume: 2, admin: 3, system: 4, error: 5, refused: 20 } as const
export type LogType = (typeof LogType)[keyof typeof LogType]

/** How an admitted request ended (docs/ledger.md, promise L2). `late` corrects a charge made by the reaper and is never the first state. */
export const TERMINAL_STATES = ['settled', 'estimated', 'released', 'late'] as const
/** The state of a row that takes back the charge of a task that failed. */
export const REFUNDED = 'refunded'
export type TerminalState = (typeof TERMINAL_STATES)[number]

/** Kinds of movements of a wallet other than requests (docs/ledger.md). */
export const WALLET_ENTRY_KINDS = [
  'opening',
  'sign-up',
  'invitee',
  'inviter',
  'redemption',
  'top-up',
  'admin',
  'transfer',
  'refund',
  'import',
] as const
export type WalletEntryKind = (typeof WALLET_ENTRY_KINDS)[number]

/** State of a payment order (docs/adr/0049-payment-orders.md). `paid` includes orders of which a part was refunded. */
export const PAYMENT_STATUSES = ['pending', 'paid', 'refunded', 'failed', 'expired'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** Decisions of the payer's bank on a payment that the payer contests: undecided, for us, against us. */
export const PAYMENT_DISPUTES = ['open', 'won', 'lost'] as const
export type PaymentDispute = (typeof PAYMENT_DISPUTES)[number]

export const PAYMENT_PROVIDERS = ['epay', 'stripe'] as const
export type PaymentProviderId = (typeof PAYMENT_PROVIDERS)[number]

export const TOKEN_GRANT_KINDS = ['create', 'edit', 'refund', 'import'] as const
export type TokenGrantKind = (typeof TOKEN_GRANT_KINDS)[number]
