import { CHANNEL_TEST_NAME } from '@tollgate/contracts/channels/channel-test-name'
import { LogType, REFUNDED } from '@tollgate/contracts/enums'
import type { Log } from '@tollgate/contracts/resources/logs'
import { lookOfLogType } from '@tollgate/domain/display/status-tone'
import type { Tone } from '@tollgate/domain/display/tone'
import { durationText, secondsText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { otherOf } from '../../ui/display/log-other.ts'

export type LogTypeText = 'top-up' | 'consume' | 'admin' | 'system' | 'error' | 'refused' | 'refund' | 'unknown'
const TYPE_TEXTS = ['top-up', 'consume', 'admin', 'system', 'error', 'refused'] as const

export function typeOf(log: Log): { readonly tone: Tone; readonly text: LogTypeText } {
  if (log.state === REFUNDED) return { tone: 'blue', text: 'refund' }
  const look = lookOfLogType(log.type)
  return { tone: look.tone, text: TYPE_TEXTS.find((text) => text === look.text) ?? 'unknown' }
}

/** The name of the token; a test of a channel, which has none, is named in the reader's language. */
export const tokenNameOf = (log: Log, t: TFunction<'logs'>): string =>
  log.token_id === 0 && log.token_name === CHANNEL_TEST_NAME ? t('channel-test') : log.token_name

/** Milliseconds to the first token; undefined where there was none (-1000 on the wire). */
export function firstTokenOf(log: Log): number | undefined {
  const { frt } = otherOf(log)
  return frt === undefined || frt < 0 ? undefined : frt
}

/** How long a request took. Rows hold whole seconds; below one, the first byte of an answer that was not streamed is its end. */
export function durationOf(log: Log): string {
  const first = firstTokenOf(log)
  if (log.use_time > 0) return secondsText(log.use_time)
  return first === undefined || log.is_stream ? secondsText(0) : durationText(first)
}

/** The channels that were tried, in order; empty for users who may not see them. */
export function triedChannels(log: Log): readonly string[] {
  return otherOf(log).admin_info?.use_channel ?? []
}

/** The tried channels as the retry column shows them; undefined when the first one answered. */
export function retryText(log: Log): string | undefined {
  const tried = triedChannels(log)
  return tried.length < 2 ? undefined : tried.map((id) => `#${id}`).join(' → ')
}

/** The model that upstream was asked for, when it is another one. */
export function mappedModel(log: Log): string | undefined {
  const { is_model_mapped, upstream_model_name } = otherOf(log)
  return is_model_mapped === true && upstream_model_name !== log.model_name ? upstream_model_name : undefined
}

export type TokenPart = { readonly text: 'cache-read' | 'cache-write' | 'audio-in' | 'audio-out'; readonly count: number }

/** The parts of a request's tokens that have prices of their own. */
export function tokenParts(log: Log): readonly TokenPart[] {
  const other = otherOf(log)
  const parts: readonly TokenPart[] = [
    { text: 'cache-read', count: other.cache_tokens ?? 0 },
    { text: 'cache-write', count: other.cache_creation_tokens ?? 0 },
    { text: 'audio-in', count: other.audio_input ?? 0 },
    { text: 'audio-out', count: other.audio_output ?? 0 },
  ]
  return parts.filter(({ count }) => count > 0)
}

/** True if an entry is about a request: only these have a model, a duration and tokens. */
export const isRequest = (log: Log): boolean => log.model_name !== '' || log.type === LogType.refused
