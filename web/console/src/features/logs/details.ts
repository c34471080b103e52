import { LogType } from '@tollgate/contracts/enums'
import type { Log } from '@tollgate/contracts/resources/logs'
import type { TFunction } from 'i18next'
import { otherOf } from './row-view.ts'

const DECIMALS = 4
const short = (ratio: number | undefined): string => String(Number((ratio ?? 1).toFixed(DECIMALS)))
const BY_USAGE = -1

/**
 * Details of an entry for a reader who has no Chinese: the server stores the price of a request as a Chinese sentence, and the same
 * numbers in field `other`. Everything else stays as it was stored.
 */
export function detailsText(log: Log, t: TFunction<'logs'>): string {
  const other = otherOf(log)
  if (log.type === LogType.consume && other.model_price !== undefined && other.model_price !== BY_USAGE)
    return t('details.price', { price: short(other.model_price), group: short(other.group_ratio) })
  if (log.type === LogType.consume && other.model_ratio !== undefined) {
    const parts = { model: short(other.model_ratio), completion: short(other.completion_ratio), group: short(other.group_ratio) }
    const audio = { audio: short(other.audio_ratio), spoken: short(other.audio_completion_ratio) }
    const text = other.audio === true ? t('details.audio', { ...parts, ...audio }) : t('details.ratio', parts)
    return log.prompt_tokens + log.completion_tokens === 0 ? `${text} ${t('details.no-tokens')}` : text
  }
  if (log.type === LogType.error && HAN.test(log.content)) {
    const parts = [other.status_code, other.error_code].filter((part) => part !== undefined && part !== '')
    return parts.length === 0 ? log.content : parts.join(' ')
  }
  return log.content
}

const HAN = /\p{Script=Han}/u
