import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { status as statusCalls, type SiteStatus } from '@tollgate/contracts/resources/status'
import i18next from 'i18next'
import { ApiError } from './api-error.ts'
import { call, keyOf } from './api.ts'
import { retries } from './query-client.ts'
import { storage, useStored } from './storage.ts'
import { toast } from './toast.ts'

export const DEFAULT_SYSTEM_NAME = 'Tollgate'
export const DEFAULT_LOGO = '/logo.png'

/** The site status; reading it also stores it, so that the next visit paints before the answer is here. */
export const siteStatus = queryOptions({
  queryKey: keyOf(statusCalls.get),
  queryFn: async ({ signal }) => {
    const status = await call(statusCalls.get, { signal })
    storeStatus(status)
    return status
  },
  staleTime: 60_000,
  retry: (count, error) => retries(count, error, 1),
  meta: { quiet: true },
})

/**
 * Resolves to whether setup is done as soon as that is known: at once where a stored status says so (the fresh one follows by itself),
 * else from the server. Unknown when the server cannot be reached; the shell shows an error.
 */
export async function knownSetup(client: QueryClient): Promise<boolean | undefined> {
  const cached = client.getQueryData(siteStatus.queryKey)
  if (cached !== undefined) return cached.setup
  if (storage.get('status')?.['setup'] === true) return true
  try {
    return (await client.ensureQueryData(siteStatus)).setup
  } catch {
    // The shell, which observes the same query, has said what is wrong.
    return undefined
  }
}

const PATIENCE_MS = 500

/** As `knownSetup`, but unknown after half a second: the page does not wait for a server that is away, and the shell follows what comes later. */
export function setupInTime(client: QueryClient): Promise<boolean | undefined> {
  return Promise.race([knownSetup(client), new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined))])
}

export function useSiteStatus(): SiteStatus | undefined {
  return useQuery(siteStatus).data
}

/** Name and logo of the site: the stored ones until the status is here. */
export function useBrand(): { readonly name: string; readonly logo: string } {
  const name = useStored('system_name')
  const logo = useStored('logo')
  return {
    name: name === undefined || name === '' ? DEFAULT_SYSTEM_NAME : name,
    logo: logo === undefined || logo === '' ? DEFAULT_LOGO : logo,
  }
}

/** `Unable to connect to server` when nothing answered, `Failed to load status` for a refusal or an answer that cannot be read. */
export function reportStatusFailure(error: unknown): void {
  const isSilence = error instanceof ApiError && error.failure.kind === 'network'
  toast.error(i18next.t(isSilence ? 'errors:status-unreachable' : 'errors:status-failed'))
}

function storeStatus(status: SiteStatus): void {
  storage.set('status', status)
  storage.set('system_name', status.system_name)
  storage.set('logo', status.logo)
  storage.set('footer_html', status.footer_html)
  storage.set('quota_per_unit', status.quota_per_unit)
  storage.set('display_in_currency', status.display_in_currency)
  storage.set('enable_drawing', status.enable_drawing)
  storage.set('enable_task', status.enable_task)
  storage.set('enable_data_export', status.enable_data_export)
  storage.set('chats', status.chats)
  storage.set('data_export_default_time', status.data_export_default_time)
  storage.set('mj_notify_enabled', status.mj_notify_enabled)
  storage.set('docs_link', status.docs_link)
  // The reader's own choice wins over the site's default.
  if (storage.get('sidebar-chosen') !== true) storage.set('default_collapse_sidebar', status.default_collapse_sidebar)
  storeIfSent('chat_link', status)
  storeIfSent('chat_link2', status)
}

/** Other servers may still send these two; ours does not, and then no stale copy may stay. */
function storeIfSent(key: 'chat_link' | 'chat_link2', status: object): void {
  const value: unknown = Reflect.get(status, key)
  if (typeof value === 'string' && value !== '') storage.set(key, value)
  else storage.remove(key)
}
