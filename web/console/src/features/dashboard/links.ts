import type { UsageSeries } from '@tollgate/contracts/resources/dashboard'
import type { ChartPoint } from '../../ui/chart/chart-props.ts'
import type { Frame, LogLink } from './frame.ts'
import type { By, DashboardSearch } from './search.ts'
import { spanOf } from './chart-data.ts'

type Key = UsageSeries['keys'][number]

/** The log's filter for a point, a key, or both. */
export function linkOf(
  { search, frame, by }: { readonly search: DashboardSearch; readonly frame: Frame; readonly by: By },
  { point, key }: { readonly point?: ChartPoint | undefined; readonly key?: Key | undefined },
): LogLink {
  const whose = search.username === undefined ? {} : { username: search.username }
  return { ...spanOf(point, frame.unit, frame.period), ...whose, ...(key === undefined ? {} : filterOf(by, key)) }
}

function filterOf(by: By, { key, name }: Key): Partial<LogLink> {
  if (by === 'model') return { model_name: key }
  if (by === 'group') return { group: key }
  if (by === 'user') return { username: name }
  if (by === 'channel') return Number(key) > 0 ? { channel: Number(key) } : {}
  // The log has no filter for these.
  if (by === 'project' || by === 'member') return {}
  // In the view of all users, a token's key is `{user}/{token}` and its name `{token} · {username}`.
  const owner = /^\d+\/(.*)$/s.exec(key)
  const token_name = owner?.[1] ?? key
  return owner === null ? { token_name } : { token_name, username: name.slice(token_name.length + 3) }
}
