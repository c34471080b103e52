import type { UnixSeconds } from './units.ts'

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
  'low-balance': ['balance'],
  'channel-disabled': ['id', 'name', 'reason'],
  'channel-enabled': ['id', 'name'],
  'new-device': ['ip', 'device'],
  test: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type MailTemplate = keyof typeof MAIL_VALUES
export type MailValues<Template extends MailTemplate> = Readonly<Record<(typeof MAIL_VALUES)[Template][number], string>>

/** Mails that a user can also get by webhook, with the `type` of the webhook's body. */
export const NOTICES = {
  'low-balance': { type: 'quota_exceed', limit: { max: 1, windowSeconds: 7200 } },
  'channel-disabled': { type: 'channel_update', limit: { max: 2, windowSeconds: 600 } },
  'channel-enabled': { type: 'channel_update', limit: { max: 2, windowSeconds: 600 } },
  'new-device': { type: 'new_device', limit: undefined },
  test: { type: 'test', limit: undefined },
} as const satisfies Partial<Record<MailTemplate, { readonly type: string; readonly limit: NoticeLimit | undefined }>>

/** At most `max` notices of a topic in a window that starts with its first one. */
export type NoticeLimit = { readonly max: number; readonly windowSeconds: UnixSeconds }
export type NoticeName = keyof typeof NOTICES

/** `dropped`: there was nothing to send, for example a reset for an address without an account. */
export const DELIVERY_STATES = ['waiting', 'sent', 'dead', 'dropped'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]
