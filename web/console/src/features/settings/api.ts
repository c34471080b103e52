import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { options } from '@tollgate/contracts/resources/options'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api-error.ts'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import type { SettingChange } from '../../ui/settings/setting.ts'
import type { Known } from './settings.ts'

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

/** `was` is the value that the administrator saw; a secret has none. */
export type Sent = SettingChange & { readonly was: string | undefined }
export type Refusal = { readonly key: string; readonly message: string; readonly isSilent: boolean; readonly isConflict: boolean }

/** Stores changes one by one, also after one of them was refused, and gives what was refused and what is stored now. */
export function useSaveOptions(): (changes: readonly Sent[], known: Known) => Promise<Known & { readonly refusals: readonly Refusal[] }> {
  const client = useQueryClient()
  const { t } = useTranslation('settings')
  return async (changes, known) => {
    const refusals: Refusal[] = []
    for (const change of changes) {
      const refusal = await storeOption(change)
      if (refusal !== undefined) refusals.push(refusal)
    }
    try {
      await refresh(client, options.list)
      // The site's name, logo and switches may have changed.
      void client.invalidateQueries({ queryKey: ['status'] })
    } catch {
      toast.error(t('refresh-failed'))
    }
    return {
      refusals,
      rows: client.getQueryData(optionRows.queryKey) ?? known.rows,
      notes: client.getQueryData(optionNotes.queryKey) ?? known.notes,
    }
  }
}

async function storeOption({ key, value, was }: Sent): Promise<Refusal | undefined> {
  try {
    await call(options.update, { body: { key, value, ...(was === undefined ? {} : { was }) } })
    return undefined
  } catch (error) {
    const failure = error instanceof ApiError ? error.failure : undefined
    return {
      key,
      message: failureText(error) ?? '',
      isSilent: failure?.kind === 'network',
      isConflict: failure?.kind === 'refused' && failure.field === 'was',
    }
  }
}
