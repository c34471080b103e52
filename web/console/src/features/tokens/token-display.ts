import { TokenStatus } from '@tollgate/contracts/enums'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { lookOfToken } from '@tollgate/domain/display/status-tone'
import type { Tone } from '@tollgate/domain/display/tone'
import { fromCommaList } from '../../ui/form/pick-list.ts'

/** The key as applications send it. */
export const fullKey = (token: Token): string => `sk-${token.key}`

/** The key as lists show it: enough to recognise, not enough to use. */
export const shortKey = (token: Token): string => `sk-${token.key.slice(0, 4)}…${token.key.slice(-4)}`

export type TokenStatusText = 'enabled' | 'limited' | 'disabled' | 'expired' | 'exhausted' | 'unknown'

/** The status tag of a row; a token whose models are limited says so. */
export function statusOf(token: Token): { readonly tone: Tone; readonly text: TokenStatusText } {
  const look = lookOfToken(token.status)
  if (token.status === TokenStatus.enabled && token.model_limits_enabled) return { tone: look.tone, text: 'limited' }
  return { tone: look.tone, text: TEXTS.find((text) => text === look.text) ?? 'unknown' }
}

const TEXTS = ['enabled', 'disabled', 'expired', 'exhausted'] as const

/** Enabling is offered on every token that is not enabled. */
export const isEnabled = (token: Token): boolean => token.status === TokenStatus.enabled

/** The models a token may call; undefined: all of them. */
export function limitedModels(token: Token): readonly string[] | undefined {
  return token.model_limits_enabled ? fromCommaList(token.model_limits) : undefined
}

export function ipLines(token: Token): readonly string[] {
  return token.allow_ips
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Keys for the clipboard, one token per line, with its name when there are several. */
export function keysText(tokens: readonly Token[]): string {
  return tokens.length === 1 ? tokens.map(fullKey).join('') : tokens.map((token) => `${token.name}    ${fullKey(token)}`).join('\n')
}
