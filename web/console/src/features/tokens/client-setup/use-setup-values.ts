import { useQuery } from '@tanstack/react-query'
import { TokenStatus } from '@tollgate/contracts/enums'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { clientAddress } from '../../../lib/client-address.ts'
import { modelFor } from '@tollgate/domain/clients/chosen-model'
import { isWholeKey, type Client, type ClientValues } from '@tollgate/domain/clients/client'
import { ownModels } from '../../../lib/own-account.ts'
import { useSiteStatus } from '../../../lib/status.ts'
import { tokenById } from '../api.ts'
import { tokenPage } from '../token-page.ts'
import { fullKey, limitedModels } from '../token-display.ts'
import type { ClientSetupSearch } from './search.ts'

/** The newest tokens that the list offers; an older one can be named by the address. */
export const OFFERED_TOKENS = 100

/** In place of a key, a model that is not known. */
const NO_KEY = 'sk-…'
const NO_MODEL = 'MODEL'

export type SetupValues = {
  readonly values: ClientValues
  readonly tokens: readonly Token[]
  /** null: there is none. */
  readonly token: Token | null
  readonly models: readonly string[]
  readonly hasKey: boolean
  readonly isLoading: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Values for the set-up of a client: those of the page's address, else the newest token that works and a model that suits the client. */
export function useSetupValues(client: Client, { token: id, model }: ClientSetupSearch): SetupValues {
  const status = useSiteStatus()
  const page = useQuery(tokenPage(1, OFFERED_TOKENS))
  const listed = page.data ?? []
  const isUnlisted = id !== undefined && page.data !== undefined && !listed.some((one) => one.id === id)
  const single = useQuery({ ...tokenById(id ?? 0), enabled: isUnlisted, meta: { quiet: true } })
  const tokens = single.data === undefined ? listed : [single.data, ...listed]
  const usable = useQuery(ownModels)
  const token = chosenToken(tokens, id) ?? null
  const models = (token === null ? undefined : limitedModels(token)) ?? usable.data ?? []
  const chosen = model !== undefined && (models.length === 0 || models.includes(model)) ? model : modelFor(client, models)
  const key = token === null ? NO_KEY : fullKey(token)
  return {
    values: { address: clientAddress(status?.server_address, window.location.origin), key, model: chosen === '' ? NO_MODEL : chosen },
    tokens,
    token,
    models,
    hasKey: isWholeKey(key),
    isLoading: page.isPending || (isUnlisted && single.isLoading) || usable.isPending,
    error: page.error ?? usable.error,
    retry: () => void Promise.all([page.refetch(), usable.refetch()]),
  }
}

const chosenToken = (tokens: readonly Token[], id: number | undefined): Token | undefined =>
  tokens.find((token) => token.id === id) ??
  tokens.find(({ status, is_own }) => status === TokenStatus.enabled && is_own !== false) ??
  tokens[0]
