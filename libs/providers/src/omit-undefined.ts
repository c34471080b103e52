/** `T` with `undefined` allowed for optional members. */
export type WithUndefined<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }

/** A copy without the members that are undefined. */
export function omitUndefined<T extends object>(object: WithUndefined<T>): T {
  const filled = Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
  // Only optional members were removed, which is all that `WithUndefined` allows beyond `T`.
  return filled as T
}
