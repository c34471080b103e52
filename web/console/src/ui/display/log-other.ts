import { LogType } from '@tollgate/contracts/enums'
import type { Log, LogOther } from '@tollgate/contracts/resources/logs'
import { readJson } from '../form/json-text.ts'

/** Field `other` of an entry; an empty or unreadable one is an empty object. */
export function otherOf(log: Log): LogOther {
  const reading = readJson(log.other)
  const value: unknown = reading.kind === 'value' ? reading.value : undefined
  // The border: our own server writes this text from the same shape; every part may be absent.
  return typeof value === 'object' && value !== null ? (value as LogOther) : {}
}

/** True if a request failed or was refused: its duration is no achievement. */
export const hasFailed = ({ type }: Log): boolean => type === LogType.error || type === LogType.refused
