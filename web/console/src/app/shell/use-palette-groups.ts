import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { channels } from '@tollgate/contracts/resources/channels'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { House, KeyRound, Languages, LogOut, Moon, Network, Sun } from 'lucide-react'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage, LANGUAGE_NAMES, rememberedLanguage } from '../../i18n/language.ts'
import { call, keyOf } from '../../lib/api.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { useThemeMode } from '../../lib/theme-mode.ts'
import { menuFor } from './menu.ts'
import { narrow, type PaletteGroup, type PaletteItem } from './palette-items.ts'
import { useSignOut } from './sign-out.ts'

const MAX_FOUND = 6

/**
 * Pages and actions that fit what is typed now, so that Enter never runs an older list; then what the server finds for it, asked
 * only when typing lets up.
 */
export function usePaletteGroups(query: string): readonly PaletteGroup[] {
  const pages = usePages()
  const actions = useActions()
  const found = useFound(useDeferredValue(query.trim()))
  return [...narrow([pages, actions], query), ...found]
}

function usePages(): PaletteGroup {
  const { t } = useTranslation('shell')
  const user = useUser()
  const navigate = useNavigate()
  const entries = menuFor({ user }).flatMap((group) => group.entries)
  const home: PaletteItem = { id: 'page-home', label: t('home'), icon: House, run: () => void navigate({ to: '/' }) }
  const rest = entries.map((entry): PaletteItem => ({
    id: `page-${entry.to}`,
    label: t(entry.label),
    icon: entry.icon,
    run: () => void navigate({ to: entry.to }),
  }))
  return { label: t('palette-pages'), items: [home, ...rest] }
}

function useActions(): PaletteGroup {
  const { t } = useTranslation('shell')
  const { mode, toggle } = useThemeMode()
  const signOut = useSignOut()
  const other = rememberedLanguage() === 'zh' ? 'en' : 'zh'
  return {
    label: t('palette-actions'),
    items: [
      { id: 'theme', label: mode === 'dark' ? t('to-light') : t('to-dark'), icon: mode === 'dark' ? Sun : Moon, run: toggle },
      { id: 'language', label: t('language'), detail: LANGUAGE_NAMES[other], icon: Languages, run: () => void changeLanguage(other) },
      { id: 'sign-out', label: t('sign-out'), icon: LogOut, run: () => void signOut() },
    ],
  }
}

function useFound(query: string): readonly PaletteGroup[] {
  const { t } = useTranslation('shell')
  const user = useUser()
  const router = useRouter()
  const isAsked = query !== '' && user !== undefined
  const key = { keyword: query, token: '' }
  const foundTokens = useQuery({
    queryKey: keyOf(tokens.search, key),
    queryFn: ({ signal }) => call(tokens.search, { query: key, signal }),
    enabled: isAsked,
    meta: { quiet: true },
  })
  const channelKey = { keyword: query, group: '', model: '' }
  const foundChannels = useQuery({
    queryKey: keyOf(channels.search, channelKey),
    queryFn: ({ signal }) => call(channels.search, { query: channelKey, signal }),
    enabled: isAsked && isAdmin(user),
    meta: { quiet: true },
  })
  const go = (address: string): void => router.history.push(address)
  const tokenItems = (foundTokens.data ?? []).slice(0, MAX_FOUND).map((token): PaletteItem => ({
    id: `token-${token.id}`,
    label: token.name,
    detail: `#${token.id}`,
    icon: KeyRound,
    run: () => go(`/token?edit=${token.id}`),
  }))
  const channelItems = (foundChannels.data ?? []).slice(0, MAX_FOUND).map((channel): PaletteItem => ({
    id: `channel-${channel.id}`,
    label: channel.name,
    detail: `#${channel.id}`,
    icon: Network,
    run: () => go(`/channel/edit/${channel.id}`),
  }))
  return [
    { label: t('palette-tokens'), items: tokenItems },
    { label: t('palette-channels'), items: channelItems },
  ].filter((group) => group.items.length > 0)
}
