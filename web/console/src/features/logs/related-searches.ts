import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import { otherOf } from '../../ui/display/log-other.ts'
import type { LogSearch } from './search.ts'

type Related = { readonly of: 'token' | 'channel' | 'user' | 'session' | 'error'; readonly search: LogSearch }

const HOUR = 3_600
const DAY = 86_400

/** The filters that find the entries around one, over the day before it and the hour after it. */
export function relatedSearches({ log, session }: LogExplanation, isAdmin: boolean): readonly Related[] {
  const range = { start: Math.max(0, log.created_at - DAY), end: log.created_at + HOUR }
  const owner = isAdmin && log.username !== '' ? { username: log.username } : {}
  const { error_code = '' } = otherOf(log)
  return [
    ...(log.token_name === '' ? [] : [{ of: 'token' as const, search: { ...range, ...owner, token_name: log.token_name } }]),
    ...(isAdmin && log.channel !== 0 ? [{ of: 'channel' as const, search: { ...range, channel: log.channel } }] : []),
    ...('username' in owner ? [{ of: 'user' as const, search: { ...range, ...owner } }] : []),
    ...(session === '' ? [] : [{ of: 'session' as const, search: { ...range, ...owner, session } }]),
    ...(error_code === '' ? [] : [{ of: 'error' as const, search: { ...range, error_code } }]),
  ]
}
