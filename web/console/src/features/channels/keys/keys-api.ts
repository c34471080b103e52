import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { channelKeys, type KeyRotation, type NewKeys } from '@tollgate/contracts/resources/channel-keys'
import { call, keyOf } from '../../../lib/api.ts'
import { refresh } from '../../../lib/query-client.ts'

export const channelKeysOf = (id: number) =>
  queryOptions({
    queryKey: keyOf(channelKeys.list, id),
    queryFn: ({ signal }) => call(channelKeys.list, { params: { id }, signal }),
    staleTime: 0,
  })

type KeysChange = {
  readonly key_ids: readonly string[]
  readonly action: 'enable' | 'disable' | 'expire' | 'delete'
  readonly expires_at?: number | null
  readonly reason?: string
}

export async function changeKeys(client: QueryClient, id: number, { key_ids, ...body }: KeysChange): Promise<void> {
  await call(channelKeys.update, { params: { id }, body: { ...body, key_ids: [...key_ids] } })
  await refresh(client, channelKeys.list)
}

export async function addKeys(client: QueryClient, id: number, body: Pick<NewKeys, 'keys' | 'expires_at'>) {
  const counts = await call(channelKeys.add, { params: { id }, body })
  await refresh(client, channelKeys.list)
  return counts
}

export async function rotateKey(client: QueryClient, id: number, body: KeyRotation): Promise<void> {
  await call(channelKeys.rotate, { params: { id }, body })
  await refresh(client, channelKeys.list)
}
