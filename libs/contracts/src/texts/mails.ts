import type { UnixSeconds } from '../units.ts'

export const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Every mail that the system sends, with the names of the values in its text. Codes and links are not among them: the worker creates them
 * when it sends the mail, so that no table holds them and their validity starts at the delivery.
 */
export const MAIL_VALUES = {
  verification: [],
  'address-taken': [],
  reset: [],
  'notification-code': [],
  'password-changed': [],
  'email-changed': [],
  'alerts-moved': [],
  'low-balance': ['balance'],
  /** `status`: of the vendor's answer; empty: the reason is ours. */
  'channel-disabled': ['id', 'name', 'reason', 'status'],
  'channel-enabled': ['id', 'name'],
  'channel-key-expires': ['id', 'name', 'keys', 'time'],
  'channel-balance-low': ['id', 'name', 'balance', 'threshold'],
  'new-device': ['ip', 'device'],
  'spend-alert': ['token', 'period', 'threshold', 'spent'],
  /** `token`: the name of the owner, if it has one. `scope` is absent in mails of an earlier version. */
  'budget-alert': ['token', 'scope', 'window', 'percent', 'amount', 'spent', 'action'],
  'payment-disputed': ['trade_no', 'state', 'reason'],
  invitation: ['organisation', 'inviter', 'role'],
  'weekly-report': ['from', 'until', 'spent', 'requests', 'balance', 'models'],
  test: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type MailTemplate = keyof typeof MAIL_VALUES
// Object.keys is typed as string[].
export const MAIL_TEMPLATES = Object.keys(MAIL_VALUES) as readonly MailTemplate[]
/** Kinds of deliveries: a mail or notice, a change of a task that its client subscribed to, or an event for an operator's endpoint. */
export const DELIVERY_TEMPLATES = [...MAIL_TEMPLATES, 'task', 'event'] as const
export type DeliveryTemplate = (typeof DELIVERY_TEMPLATES)[number]
export type MailValues<Template extends MailTemplate> = Readonly<Record<(typeof MAIL_VALUES)[Template][number], string>>

/** Mails that a user can also get by webhook, with how often. */
export const NOTICES = {
  'low-balance': { max: 1, windowSeconds: 7200 },
  'channel-disabled': { max: 2, windowSeconds: 600 },
  'channel-enabled': { max: 2, windowSeconds: 600 },
  // Once per expiry of a key, and when a balance falls below the threshold.
  'channel-key-expires': undefined,
  'channel-balance-low': undefined,
  'new-device': undefined,
  // Once per period, and once per week: their jobs keep count.
  'spend-alert': undefined,
  'budget-alert': undefined,
  'weekly-report': undefined,
  'payment-disputed': undefined,
  'alerts-moved': undefined,
  test: { max: 10, windowSeconds: 3600 },
} as const satisfies Partial<Record<MailTemplate, NoticeLimit | undefined>>

/** All notices by mail to one mailbox, except those that tell of an attack: an attacker must not be able to use them up. */
export const MAILBOX_LIMIT: NoticeLimit = { max: 60, windowSeconds: 3600 }
export const UNLIMITED_NOTICES: ReadonlySet<NoticeName> = new Set(['new-device', 'payment-disputed', 'alerts-moved'])

/** At most `max` notices of a topic in a window that starts with its first one. */
export type NoticeLimit = { readonly max: number; readonly windowSeconds: UnixSeconds }
export type NoticeName = keyof typeof NOTICES

/** `event`: to a webhook endpoint of an operator. */
export const DELIVERY_CHANNELS = ['mail', 'webhook', 'event'] as const
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number]

/** `dead`: refused for good, or not delivered in time. */
export const DELIVERY_STATES = ['waiting', 'sent', 'dead'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]
