import { useNavigate, useRouter } from '@tanstack/react-router'
import { Ban, CircleCheck, FlaskConical, House, KeyRound, Languages, LogOut, Moon, Plus, Sun, Tags, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '../../../i18n/change-language.ts'
import { LANGUAGE_NAMES, rememberedLanguage } from '../../../i18n/language.ts'
import { report } from '../../../lib/report.ts'
import { isAdmin, useUser } from '../../../lib/session.ts'
import { useThemeMode } from '../../../lib/theme-mode.ts'
import { useMenu } from '../menu.ts'
import { useSignOut } from '../sign-out.ts'
import { ALIASES } from './aliases.ts'
import { narrow, typedVerb, type PaletteGroup, type PaletteItem, type Verb } from './items.ts'
import { useFound } from './use-found.ts'
import { useParsedQuery } from './use-parsed-query.ts'

/** Pages and commands that fit what is typed now, so that Enter never runs an older list; then what the server finds for it. */
export function usePaletteGroups(query: string): { readonly groups: readonly PaletteGroup[]; readonly isSearching: boolean } {
  const pages = usePages()
  const commands = useCommands()
  const found = useFound(query)
  const { verb, name } = useParsedQuery(query)
  const own = verb === undefined || name === '' ? narrow([pages, commands], query) : []
  return { groups: [...own, ...found.groups], isSearching: found.isSearching }
}

const aliasOf = (id: string): string => ALIASES[id] ?? ''

function usePages(): PaletteGroup {
  const { t } = useTranslation(['shell', 'palette'])
  const navigate = useNavigate()
  const entries = useMenu().flatMap((group) => group.entries)
  const home: PaletteItem = { id: 'page-home', label: t('home'), alias: aliasOf('/'), icon: House, run: () => void navigate({ to: '/' }) }
  const prices: PaletteItem = {
    id: 'page-pricing',
    label: t('pricing'),
    alias: aliasOf('/pricing'),
    icon: Tags,
    run: () => void navigate({ to: '/pricing' }),
  }
  const rest = entries.map((entry): PaletteItem => ({
    id: `page-${entry.to}`,
    label: t(entry.label),
    alias: aliasOf(entry.to),
    icon: entry.icon,
    run: () => void navigate({ to: entry.to }),
  }))
  return { label: t('palette:pages'), items: [home, ...rest, prices] }
}

function useCommands(): PaletteGroup {
  const { t } = useTranslation('palette')
  const user = useUser()
  const router = useRouter()
  const { mode, toggle } = useThemeMode()
  const signOut = useSignOut()
  const other = rememberedLanguage() === 'zh' ? 'en' : 'zh'
  const go = (address: string) => (): void => router.history.push(address)
  const ask = (id: AskingCommand, icon: PaletteItem['icon'], verb: Verb): PaletteItem => ({
    id,
    label: t(id),
    alias: aliasOf(id),
    icon,
    typed: typedVerb(verb),
  })
  const forAdmins = isAdmin(user)
    ? [
        { id: 'create-channel', label: t('create-channel'), alias: aliasOf('create-channel'), icon: Plus, run: go('/channel/add') },
        ask('test-channel', FlaskConical, 'test'),
        ask('go-to-user', UserRound, 'user'),
      ]
    : []
  return {
    label: t('commands'),
    items: [
      { id: 'create-token', label: t('create-token'), alias: aliasOf('create-token'), icon: KeyRound, run: go('/token?edit=new') },
      ...forAdmins,
      ask('disable-token', Ban, 'disable'),
      ask('enable-token', CircleCheck, 'enable'),
      {
        id: 'theme',
        label: t(mode === 'dark' ? 'to-light' : 'to-dark'),
        alias: aliasOf('theme'),
        icon: mode === 'dark' ? Sun : Moon,
        run: toggle,
      },
      {
        id: 'language',
        label: t('language', { name: LANGUAGE_NAMES[other] }),
        alias: aliasOf('language'),
        icon: Languages,
        run: () => void changeLanguage(other).catch(report),
      },
      { id: 'sign-out', label: t('sign-out'), alias: aliasOf('sign-out'), icon: LogOut, run: () => void signOut() },
    ],
  }
}

type AskingCommand = 'test-channel' | 'go-to-user' | 'disable-token' | 'enable-token'
