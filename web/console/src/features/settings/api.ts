import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { options } from '@tollgate/contracts/resources/options'
import { ApiError } from '../../lib/api-error.ts'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'
import type { SettingChange } from '../../ui/settings/setting.ts'

export const optionRows = queryOptions({
  queryKey: keyOf(options.list),
  queryFn: ({ signal }) => call(options.list, { signal }),
  refetchOnWindowFocus: false,
})

export const optionNotes = queryOptions({
  queryKey: keyOf(options.notes),
  queryFn: ({ signal }) => call(options.notes, { signal }),
  refetchOnWindowFocus: false,
})

/** Stores the changes one after another and stops at the first refusal, which names its key. */
export function useSaveOptions(): (changes: readonly SettingChange[]) => Promise<void> {
  const client = useQueryClient()
  return async (changes) => {
    try {
      for (const change of changes) await storeOption(change)
    } finally {
      await refresh(client, options.list)
    }
  }
}

async function storeOption(change: SettingChange): Promise<void> {
  try {
    await call(options.update, { body: change })
  } catch (error) {
    if (!(error instanceof ApiError) || error.failure.kind !== 'refused') throw error
    throw new ApiError({ ...error.failure, field: change.key }, { cause: error })
  }
}
