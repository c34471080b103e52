/** What the address of the token page holds. */
export type TokenSearch = {
  readonly keyword?: string
  readonly token?: string
  /** From 1. */
  readonly page?: number
  /** The token whose drawer is open. */
  readonly edit?: number | 'new'
}

/** Reads the address; what is not understood is left out. */
export function parseTokenSearch(search: Record<string, unknown>): TokenSearch {
  const edit = search['edit'] === 'new' ? 'new' : positive(search['edit'])
  const page = positive(search['page'])
  return {
    ...text('keyword', search['keyword']),
    ...text('token', search['token']),
    ...(page === undefined || page === 1 ? {} : { page }),
    ...(edit === undefined ? {} : { edit }),
  }
}

function text<Name extends string>(name: Name, value: unknown): { [K in Name]?: string } {
  const read = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  // A computed key of one literal name: the compiler widens it to an index.
  return (read === '' ? {} : { [name]: read }) as { [K in Name]?: string }
}

function positive(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}
