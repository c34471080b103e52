export const CASES = ['models', 'chat', 'stream', 'usage', 'tools', 'schema', 'image', 'reasoning', 'errors', 'embeddings'] as const

/** One result, as a line of a language's program. `none`: the client has no such call, or the vendor no such service. */
export type Cell = {
  readonly client: string
  readonly vendor: string
  readonly case: (typeof CASES)[number]
  readonly result: 'ok' | 'red' | 'none'
  readonly reason?: string
}

/** Red cells that are understood; a red cell without a row fails the run. */
export type KnownRed = { readonly client: string; readonly vendor: string; readonly case: string; readonly reason: string }

export const isSame = (known: KnownRed, cell: Cell): boolean =>
  known.client === cell.client && known.case === cell.case && (known.vendor === '*' || known.vendor === cell.vendor)
