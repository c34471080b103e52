/** The options of the request limit per user, as the snapshot carries them. */
export type RequestLimits = {
  readonly is_enabled: boolean
  readonly duration_minutes: number
  /** All requests; 0: off. */
  readonly count: number
  /** Requests that succeeded; 0: off. */
  readonly success_count: number
  /** Group → [all, successful]; replaces the two numbers above. */
  readonly by_group: Readonly<Record<string, readonly [number, number]>>
}

export type LimitWindow = { readonly name: 'total' | 'success'; readonly max: number; readonly window_ms: number }

/** The windows that reserve checks for a request in this group; none when the limit is off. */
export function windowsFor(limits: RequestLimits, group: string): LimitWindow[] {
  if (!limits.is_enabled || limits.duration_minutes <= 0) return []
  const own = Object.hasOwn(limits.by_group, group) ? limits.by_group[group] : undefined
  const [total, success] = own ?? [limits.count, limits.success_count]
  const window_ms = limits.duration_minutes * 60_000
  const windows: LimitWindow[] = []
  if (success > 0) windows.push({ name: 'success', max: success, window_ms })
  if (total > 0) windows.push({ name: 'total', max: total, window_ms })
  return windows
}
