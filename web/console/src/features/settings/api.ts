import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { channels } from '@tollgate/contracts/resources/channels'
import { deliveries } from '@tollgate/contracts/resources/deliveries'
import { limits } from '@tollgate/contracts/resources/limits'
import { oauth } from '@tollgate/contracts/resources/oauth'
import { options, type OutsidePart } from '@tollgate/contracts/resources/options'
import { status } from '@tollgate/contracts/resources/status'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api-error.ts'
import { call, callForMessage, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'
import { failureText } from '../../lib/report.ts'
import { storage } from '../../lib/storage.ts'
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

export const enabledModels = queryOptions({
  queryKey: keyOf(channels.enabledModels),
  queryFn: ({ signal }) => call(channels.enabledModels, { signal }),
  meta: { quiet: true },
})

/** The newest version in the release feed, read by the control plane. */
export const newestRelease = () => call(status.release, {})

/** Sends a mail with the saved options and waits for the answer of the mail server; an empty address is the caller's own. */
export const sendTestMail = (to: string) => call(deliveries.testMail, { body: { to } })

/** Tries the stored settings of a service outside. */
export const testOutside = (part: OutsidePart) => call(options.testOutside, { body: { part } })

/** The addresses of an OIDC provider, read by the control plane. */
export const discoverOidc = (url: string) => call(oauth.discover, { body: { url } })

type LimitQuestion = Readonly<Record<'user' | 'token' | 'model' | 'group' | 'prompt_tokens' | 'max_tokens', string>>

/** True if this request would pass its limits now; empty fields are left out. */
export const checkLimits = ({ user, token, model, group, prompt_tokens, max_tokens }: LimitQuestion) =>
  call(limits.check, {
    query: {
      user,
      token,
      model,
      group,
      prompt_tokens: Number(prompt_tokens),
      ...(max_tokens.trim() === '' ? {} : { max_tokens: Number(max_tokens) }),
    },
  })

/** Puts ModelRatio back; gives the server's text and what is stored now. */
export function useResetRatios(): (known: Known) => Promise<{ readonly message: string; readonly fresh: Known }> {
  const client = useQueryClient()
  return async (known) => {
    const { message } = await callForMessage(options.resetModelRatio, {})
    await refresh(client, options.list)
    return { message, fresh: storedNow(client, known) }
  }
}

const storedNow = (client: QueryClient, known: Known): Known => ({
  rows: client.getQueryData(optionRows.queryKey) ?? known.rows,
  notes: client.getQueryData(optionNotes.queryKey) ?? known.notes,
})

/** `was` is the value that the administrator saw; a secret has none. */
export type Sent = SettingChange & { readonly was: string | undefined }
export type Refusal = { readonly key: string; readonly message: string; readonly isSilent: boolean; readonly isConflict: boolean }

/** `stale`: what is stored now could not be read. */
type Saved = Known & { readonly refusals: readonly Refusal[]; readonly stale: string | undefined }

/** Stores changes one by one, also after one of them was refused, and gives what was refused and what is stored now. */
export function useSaveOptions(): (changes: readonly Sent[], known: Known) => Promise<Saved> {
  const client = useQueryClient()
  const { t } = useTranslation('settings')
  return async (changes, known) => {
    const refusals: Refusal[] = []
    for (const change of changes) {
      const refusal = await storeOption(change)
      if (refusal !== undefined) refusals.push(refusal)
      else if (change.key === 'Notice') markNoticeRead(client, change.value)
    }
    try {
      await refresh(client, options.list, { throwOnError: true })
      // The site's name, logo and switches may have changed, and what its pages say.
      for (const endpoint of [status.get, status.notice, status.about, status.homePage]) void refresh(client, endpoint)
    } catch {
      return { refusals, stale: t('refresh-failed'), ...storedNow(client, known) }
    }
    return { refusals, stale: undefined, ...storedNow(client, known) }
  }
}

/** Who writes a notice has read it. */
function markNoticeRead(client: QueryClient, text: string): void {
  // First the notice: beside an older one, what was read counts as withdrawn.
  client.setQueryData(keyOf(status.notice), text)
  if (text !== '') storage.set('notice-seen', text)
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
