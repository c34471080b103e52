/** What the address of the channel pages holds. Tag mode and the order by id are the reader's habits and stay in local storage. */
export type ChannelSearch = {
  readonly keyword?: string
  readonly group?: string
  readonly model?: string
  /** From 1. */
  readonly page?: number
  /** The tag whose drawer is open. */
  readonly tag?: string
}

/** Reads the address; what is not understood is left out. */
export function parseChannelSearch(search: Record<string, unknown>): ChannelSearch {
  const page = Number(search['page'])
  const keyword = textOf(search['keyword'])
  const group = textOf(search['group'])
  const model = textOf(search['model'])
  const tag = textOf(search['tag'])
  return {
    ...(keyword === '' ? {} : { keyword }),
    ...(group === '' ? {} : { group }),
    ...(model === '' ? {} : { model }),
    ...(tag === '' ? {} : { tag }),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
