import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { TranslatorInput } from './operation.ts'

/**
 * Usage by duration, if the vendor reports no usage: the file's duration, and at least the duration that the vendor reports. If only the
 * file's size is known and the vendor reports no duration, the usage is an estimate.
 */
export function secondsOf({ request }: TranslatorInput, reportedDuration?: unknown): Usage {
  const measured = request.form?.audio
  const reported = wholeSeconds(reportedDuration)
  const isKnown = reported !== undefined || measured?.isRead === true
  const own = measured === undefined || (!measured.isRead && reported !== undefined) ? 0 : Math.ceil(measured.seconds)
  return { ...ZERO_USAGE, seconds: Math.max(own, reported ?? 0, 1), source: isKnown ? 'upstream' : 'estimated' }
}

export function wholeSeconds(value: unknown): number | undefined {
  const seconds = Number(value)
  return value !== undefined && value !== null && Number.isFinite(seconds) && seconds >= 0 && seconds < 1e7 ? Math.ceil(seconds) : undefined
}
