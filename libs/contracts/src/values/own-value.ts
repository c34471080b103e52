/** The value of a key from outside: `constructor` and `toString` are names like any other, and no object has them by itself. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
