import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { TokenStatus } from '@tollgate/contracts/enums'
import { channels, type Channel } from '@tollgate/contracts/resources/channels'
import { tokens, type Token } from '@tollgate/contracts/resources/tokens'
import { users, type User } from '@tollgate/contracts/resources/users'
import { Ban, CircleCheck, FlaskConical, KeyRound, Network, ScrollText, UserRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../../lib/api.ts'
import { refresh } from '../../../lib/query-client.ts'
import { saying } from '../../../lib/saying.ts'
import { isAdmin, useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { idOf, isRequestId, type PaletteGroup, type PaletteItem, type Verb } from './items.ts'
import { useParsedQuery } from './use-parsed-query.ts'

const MAX_FOUND = 6
const SETTLE_MS = 180

/** Results of the server for a name or an id, requested when typing pauses and only for what the role may open. */
export function useFound(query: string): { readonly groups: readonly PaletteGroup[]; readonly isSearching: boolean } {
  const { t } = useTranslation('palette')
  const settled = useSettled(query)
  const { verb, name } = useParsedQuery(settled)
  const router = useRouter()
  const go = (address: string): void => router.history.push(address)
  const asks = useAnswers(verb, name)
  const groups: readonly PaletteGroup[] = [
    {
      label: t('requests'),
      items: verb === undefined && isRequestId(name) ? [requestItem(name, t('find-request', { id: name }), go)] : [],
    },
    { label: t('tokens'), items: useTokenItems(asks.tokens, verb, go) },
    { label: t('channels'), items: useChannelItems(asks.channels, verb, go) },
    { label: t('users'), items: asks.users.map((user) => userItem(user, go)) },
  ]
  return { groups: groups.filter(({ items }) => items.length > 0), isSearching: asks.isSearching || settled !== query }
}

function useSettled(query: string): string {
  const [settled, setSettled] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [query])
  return settled
}

function useAnswers(verb: Verb | undefined, name: string) {
  const user = useUser()
  const isNamed = name !== '' && user !== undefined
  const isFor = (...verbs: readonly Verb[]): boolean => isNamed && (verb === undefined || verbs.includes(verb))
  const id = idOf(name)
  const keyword = id === undefined ? name : String(id)
  const byName = { keyword: name, token: '' }
  const ofTokens = useQuery({
    queryKey: keyOf(tokens.search, byName),
    queryFn: ({ signal }) => call(tokens.search, { query: byName, signal }),
    enabled: isFor('disable', 'enable'),
    meta: { quiet: true },
  })
  const byId = useQuery({
    queryKey: keyOf(tokens.get, id ?? 0),
    queryFn: ({ signal }) => call(tokens.get, { params: { id: id ?? 0 }, signal }),
    enabled: isFor('disable', 'enable') && id !== undefined,
    retry: false,
    meta: { quiet: true },
  })
  const channelQuery = { keyword, group: '', model: '' }
  const ofChannels = useQuery({
    queryKey: keyOf(channels.search, channelQuery),
    queryFn: ({ signal }) => call(channels.search, { query: channelQuery, signal }),
    enabled: isFor('test') && isAdmin(user),
    meta: { quiet: true },
  })
  const userQuery = { keyword, group: '', p: 1, page_size: MAX_FOUND }
  const ofUsers = useQuery({
    queryKey: keyOf(users.search, userQuery),
    queryFn: ({ signal }) => call(users.search, { query: userQuery, signal }),
    enabled: isFor('user') && isAdmin(user),
    meta: { quiet: true },
  })
  const named = ofTokens.data ?? []
  const found = byId.data === undefined || named.some((one) => one.id === id) ? named : [byId.data, ...named]
  return {
    tokens: found
      .filter(({ status }) => verb === undefined || (status === TokenStatus.enabled) === (verb === 'disable'))
      .slice(0, MAX_FOUND),
    channels: (ofChannels.data ?? []).slice(0, MAX_FOUND),
    users: ofUsers.data?.items ?? [],
    isSearching: [ofTokens, ofChannels, ofUsers].some(({ isFetching }) => isFetching),
  }
}

type Go = (address: string) => void

function useTokenItems(found: readonly Token[], verb: Verb | undefined, go: Go): readonly PaletteItem[] {
  const { t } = useTranslation('palette')
  const client = useQueryClient()
  const turn = async ({ id, name, status }: Token): Promise<string> => {
    const isOn = status === TokenStatus.enabled
    await call(tokens.update, { query: { status_only: 'true' }, body: { id, status: isOn ? TokenStatus.disabled : TokenStatus.enabled } })
    await refresh(client, tokens.list)
    return t(isOn ? 'disabled' : 'enabled', { name })
  }
  return found.map((token): PaletteItem => {
    const detail = `#${token.id}`
    if (verb === undefined)
      return { id: `token-${token.id}`, label: token.name, detail, icon: KeyRound, run: () => go(`/token?edit=${token.id}`) }
    const isOn = token.status === TokenStatus.enabled
    return {
      id: `turn-token-${token.id}`,
      label: t(isOn ? 'disable-one' : 'enable-one', { name: token.name }),
      detail,
      icon: isOn ? Ban : CircleCheck,
      run: () => void saying(turn(token), (text) => text),
    }
  })
}

function useChannelItems(found: readonly Channel[], verb: Verb | undefined, go: Go): readonly PaletteItem[] {
  const { t } = useTranslation('palette')
  const client = useQueryClient()
  const test = async ({ id, name }: Channel): Promise<void> => {
    toast.info(t('testing', { name }))
    await saying(call(channels.test, { params: { id }, query: { model: '' } }), ({ time }) =>
      t('tested', { name, seconds: time.toFixed(2) }),
    )
    await refresh(client, channels.list)
  }
  return found.map((channel): PaletteItem => {
    const detail = `#${channel.id}`
    if (verb === undefined) {
      return { id: `channel-${channel.id}`, label: channel.name, detail, icon: Network, run: () => go(`/channel/edit/${channel.id}`) }
    }
    const label = t('test-one', { name: channel.name })
    return { id: `test-channel-${channel.id}`, label, detail, icon: FlaskConical, run: () => void test(channel) }
  })
}

function userItem({ id, username, display_name }: User, go: Go): PaletteItem {
  const label = display_name === '' || display_name === username ? username : `${username} · ${display_name}`
  return { id: `user-${id}`, label, detail: `#${id}`, icon: UserRound, run: () => go(`/user?keyword=${encodeURIComponent(username)}`) }
}

function requestItem(id: string, label: string, go: Go): PaletteItem {
  return { id: 'request', label, icon: ScrollText, run: () => go(`/log?request_id=${encodeURIComponent(id)}&preset=all`) }
}
