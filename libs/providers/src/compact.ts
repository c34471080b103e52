/** An object of type `T` in which whatever is optional may still be `undefined`. */
export type Draft<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }

/** The same object without the keys that are `undefined`: absent is absent, also in JSON and for `in`. */
export function compact<T extends object>(draft: Draft<T>): T {
  const filled = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))
  // What is left differs from the draft in absent optional keys only, which is what `Draft` allows beyond `T`.
  return filled as T
}
