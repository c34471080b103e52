import { AUTO_GROUP } from '@tollgate/domain/access/group'
import { AppError } from '@tollgate/contracts/app-error'
import { MAX_FALLBACKS } from '@tollgate/contracts/relay/model-fallbacks'
import { TokenStatus } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { toList } from '@tollgate/db/queries/channels/abilities'
import { isIpAllowed } from '@tollgate/domain/access/ip-list'
import { isAhead } from '../../expiry.ts'
import { hasConfusing } from '../users/policy.ts'

/** Counts characters, not bytes: six Chinese characters count as six. */
const NAME_MAX = 30

export function checkName(name: string): string {
  if (hasConfusing(name)) throw new AppError('tokens.name-invisible')
  if ([...name].length > NAME_MAX) throw new AppError('tokens.name-long')
  return name
}

/** −1, or a time that lies ahead. */
export function checkExpiry(expiredTime: UnixSeconds, now: UnixSeconds): UnixSeconds {
  if (expiredTime !== -1 && !isAhead(expiredTime, now)) throw new AppError('tokens.expiry')
  return expiredTime
}

export function checkQuota(quota: Quota): Quota {
  if (quota < 0) throw new AppError('tokens.quota')
  return quota
}

/** Relays keep the parsed lists of thousands of tokens in memory. The bytes are also a CHECK constraint. */
const MAX_ENTRIES = 256
const MAX_BYTES = 8192

/** Model names, separated by commas. */
export function checkModelLimits(text: string): string {
  return checkList('model_limits', toList(text), ',')
}

const FALLBACK_BYTES = 2048

/** A chain of models, separated by commas; null: the chains of the options. */
export function checkFallbacks(text: string | null): string | null {
  if (text === null) return null
  const models = [...new Set(toList(text))]
  const list = models.join(',')
  if (models.length > MAX_FALLBACKS || Buffer.byteLength(list) > FALLBACK_BYTES)
    throw new AppError('tokens.list-long', { field: 'fallback_models', limit: MAX_FALLBACKS, bytes: FALLBACK_BYTES })
  return list
}

function checkList(field: string, entries: readonly string[], separator: string): string {
  const text = entries.join(separator)
  if (entries.length > MAX_ENTRIES || Buffer.byteLength(text) > MAX_BYTES)
    throw new AppError('tokens.list-long', { field, limit: MAX_ENTRIES, bytes: MAX_BYTES })
  return text
}

/** Parses addresses and CIDR ranges, separated by line breaks, commas or blanks. Throws at the first invalid one. */
export function checkAllowIps(text: string): string {
  const lines = [...new Set(text.split(/[\s,]+/).filter((line) => line !== ''))]
  const checked = checkList('allow_ips', lines, '\n')
  for (const line of lines) {
    // A valid range contains its own first address; an address contains itself.
    if (!isIpAllowed(line.replace(/\/.*$/, ''), [line])) throw new AppError('tokens.ip', { line })
  }
  return checked
}

/** Blank: the user's group at the time of each request; `auto`: the first of the operator's list that serves the model. */
export function checkGroup(group: string, usable: Readonly<Record<string, unknown>>): string {
  if (group !== '' && group !== AUTO_GROUP && !Object.hasOwn(usable, group)) throw new AppError('tokens.group', { group })
  return group
}

type Judged = {
  readonly status: number
  readonly expired_time: UnixSeconds
  readonly unlimited_quota: boolean
  readonly remain_quota: Quota
}

/** Checks a status that the owner sets: enabled or disabled, and enabled only if the token could serve. */
export function checkNewStatus(status: number, token: Judged, now: UnixSeconds): number {
  if (status !== TokenStatus.enabled && status !== TokenStatus.disabled) throw new AppError('tokens.status')
  if (status === TokenStatus.disabled) return status
  if (isExpired(token, now)) throw new AppError('tokens.enable-expired')
  if (isExhausted(token)) throw new AppError('tokens.enable-exhausted')
  return status
}

/** The status that a token shows: an enabled token that cannot serve shows the reason. */
export function shownStatus(token: Judged, now: UnixSeconds): number {
  if (token.status !== TokenStatus.enabled) return token.status
  if (isExpired(token, now)) return TokenStatus.expired
  return isExhausted(token) ? TokenStatus.exhausted : TokenStatus.enabled
}

function isExpired({ expired_time }: Judged, now: UnixSeconds): boolean {
  return expired_time !== -1 && expired_time <= now
}

function isExhausted({ unlimited_quota, remain_quota }: Judged): boolean {
  return !unlimited_quota && remain_quota <= 0
}
