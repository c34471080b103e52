import { ChannelStatus, LogType, TokenStatus } from '@tollgate/contracts/enums'
import type { TerminalState } from '@tollgate/contracts/enums'
import type { Attempt } from '@tollgate/contracts/relay/usage-event'
import type { Tone } from './tone.ts'

/** A tag's tone and the last part of its text key; the texts are in the console's catalogues. */
export type StatusLook = { readonly tone: Tone; readonly text: string }

const UNKNOWN: StatusLook = { tone: 'grey', text: 'unknown' }

const TOKEN_LOOKS: Readonly<Record<number, StatusLook>> = {
  [TokenStatus.enabled]: { tone: 'green', text: 'enabled' },
  [TokenStatus.disabled]: { tone: 'grey', text: 'disabled' },
  [TokenStatus.expired]: { tone: 'yellow', text: 'expired' },
  [TokenStatus.exhausted]: { tone: 'red', text: 'exhausted' },
}

const CHANNEL_LOOKS: Readonly<Record<number, StatusLook>> = {
  [ChannelStatus.enabled]: { tone: 'green', text: 'enabled' },
  [ChannelStatus.disabled]: { tone: 'grey', text: 'disabled' },
  [ChannelStatus.autoDisabled]: { tone: 'red', text: 'auto-disabled' },
}

const LOG_TYPE_LOOKS: Readonly<Record<number, StatusLook>> = {
  [LogType.topUp]: { tone: 'blue', text: 'top-up' },
  [LogType.consume]: { tone: 'green', text: 'consume' },
  [LogType.admin]: { tone: 'orange', text: 'admin' },
  [LogType.system]: { tone: 'grey', text: 'system' },
  [LogType.error]: { tone: 'red', text: 'error' },
  [LogType.refused]: { tone: 'yellow', text: 'refused' },
}

/** How a token's status is shown. */
export function lookOfToken(status: number): StatusLook {
  return TOKEN_LOOKS[status] ?? UNKNOWN
}

/** How a channel's status is shown. */
export function lookOfChannel(status: number): StatusLook {
  return CHANNEL_LOOKS[status] ?? UNKNOWN
}

/** How a log entry's type is shown. */
export function lookOfLogType(type: number): StatusLook {
  return LOG_TYPE_LOOKS[type] ?? UNKNOWN
}

/** How the end of a request is shown. */
export const TERMINAL_LOOKS = {
  settled: { tone: 'green', text: 'settled' },
  estimated: { tone: 'yellow', text: 'estimated' },
  released: { tone: 'grey', text: 'released' },
  late: { tone: 'orange', text: 'late' },
} as const satisfies Record<TerminalState, StatusLook>

/** How one attempt at an upstream is shown. */
export const ATTEMPT_LOOKS = {
  answered: { tone: 'green', text: 'answered' },
  refused: { tone: 'red', text: 'refused' },
  limited: { tone: 'orange', text: 'limited' },
  timeout: { tone: 'orange', text: 'timeout' },
  network: { tone: 'red', text: 'network' },
  malformed: { tone: 'red', text: 'malformed' },
  aborted: { tone: 'grey', text: 'aborted' },
} as const satisfies Record<Attempt['outcome'], StatusLook>
