type Readers = Readonly<Record<string, (value: unknown) => unknown>>
type Search<R extends Readers> = { readonly [Name in keyof R]?: Exclude<ReturnType<R[Name]>, undefined> } & { readonly sort?: string }

/** Reads the address of a list, one reader per name, and the order of its rows; what is not understood is left out. */
export function searchReader<const R extends Readers>(readers: R): (search: Readonly<Record<string, unknown>>) => Search<R> {
  return (search) => {
    const found = Object.entries({ sort: asText, ...readers }).map(([name, read]) => [name, read(search[name])] as const)
    // Each value comes from the reader of its name. The router keeps what the address says unless it is overwritten, with undefined too.
    return Object.fromEntries(found.filter(([name, value]) => value !== undefined || search[name] !== undefined)) as Search<R>
  }
}

/** A text that is not empty; the router reads digits as a number. */
export function asText(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined
}

/** A whole number above 0: an id, a time. */
export function asCount(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** A page from 1; the first one is not written. */
export function asPage(value: unknown): number | undefined {
  const page = asCount(value)
  return page === 1 ? undefined : page
}
