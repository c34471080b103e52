/**
 * The client's limit of completion tokens: the greatest of its fields. Vendors read 0 as "no limit", so it counts as absent: a hold that
 * rests on it would be too small.
 */
export function tokenLimit(...values: readonly unknown[]): number | undefined {
  const limits = values.filter((value) => typeof value === 'number')
  return limits.length === 0 || limits.includes(0) ? undefined : Math.max(...limits)
}
