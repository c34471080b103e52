import type { LinkProps } from '@tanstack/react-router'
import {
  Activity,
  Brush,
  Building2,
  ChartColumn,
  FileSpreadsheet,
  FlaskConical,
  History,
  KeyRound,
  ListMusic,
  Mails,
  Network,
  Plug,
  Receipt,
  ScrollText,
  Settings,
  Ticket,
  UserRound,
  Users,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import type { Resources } from '../../i18n/resources.ts'
import { may } from '../../lib/rights.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { useStored, type StoredUser } from '../../lib/storage.ts'

/** Names without holes to fill. */
type Label = Exclude<keyof Resources['shell'], 'credits' | 'new-year-wish' | `get-started-${string}`>

export type MenuEntry = {
  readonly label: Label
  readonly to: NonNullable<LinkProps['to']>
  readonly icon: LucideIcon
}
export type MenuGroup = { readonly label: Label; readonly entries: readonly MenuEntry[] }

/** Facts that decide which entries are shown: the reader's role, and the features that the site has switched on. */
type MenuFacts = {
  readonly user: StoredUser | undefined
  readonly hasDashboard: boolean
  readonly hasDrawings: boolean
  readonly hasTasks: boolean
}

const chatEntries = [{ label: 'playground', to: '/playground', icon: FlaskConical }] as const satisfies readonly MenuEntry[]

const consoleEntries = [
  { label: 'tokens', to: '/token', icon: KeyRound },
  { label: 'client-setup', to: '/client-setup', icon: Plug },
  { label: 'logs', to: '/log', icon: ScrollText },
] as const satisfies readonly MenuEntry[]

const drawingsEntry = { label: 'drawings', to: '/midjourney', icon: Brush } as const satisfies MenuEntry
const tasksEntry = { label: 'tasks', to: '/task', icon: ListMusic } as const satisfies MenuEntry
const dashboardEntry = { label: 'dashboard', to: '/detail', icon: ChartColumn } as const satisfies MenuEntry

const adminEntries = [
  { label: 'channels', to: '/channel', icon: Network },
  { label: 'redemptions', to: '/redemption', icon: Ticket },
  { label: 'users', to: '/user', icon: Users },
  { label: 'payments', to: '/payment', icon: Receipt },
  { label: 'invoices', to: '/invoice', icon: FileSpreadsheet },
  { label: 'health', to: '/health', icon: Activity },
  { label: 'audit', to: '/audit', icon: History },
  { label: 'deliveries', to: '/delivery', icon: Mails },
  // Its calls are for root; other administrators see one notice.
  { label: 'settings', to: '/setting', icon: Settings },
] as const satisfies readonly MenuEntry[]

const personalEntries = [
  { label: 'wallet', to: '/topup', icon: Wallet },
  { label: 'personal', to: '/personal', icon: UserRound },
] as const satisfies readonly MenuEntry[]

/** For an organisation: its own page, and the wallet for those who may see it. */
const organisationEntry = { label: 'organisation', to: '/organisation', icon: Building2 } as const satisfies MenuEntry
const walletEntry = personalEntries[0]

/** The sidebar's groups. A screen that is not built yet has no entry; the palette reads the same list. */
function menuFor({ user, hasDashboard, hasDrawings, hasTasks }: MenuFacts): readonly MenuGroup[] {
  if (user === undefined) return []
  const groups: MenuGroup[] = [
    ...(may(user, 'playground.use') ? [{ label: 'group-chat', entries: chatEntries } as const] : []),
    {
      label: 'group-console',
      entries: [
        ...(hasDashboard ? [dashboardEntry] : []),
        ...consoleEntries,
        ...(hasDrawings ? [drawingsEntry] : []),
        ...(hasTasks ? [tasksEntry] : []),
      ],
    },
  ]
  if (isAdmin(user)) groups.push({ label: 'group-admin', entries: adminEntries })
  if (user.member === undefined) groups.push({ label: 'group-personal', entries: personalEntries })
  else
    groups.push({
      label: 'group-organisation',
      entries: [organisationEntry, ...(may(user, 'wallet.read') ? [walletEntry] : [])],
    })
  return groups
}

/** The menu of this browser: who is signed in, and what the site has switched on (compared with the stored text 'true'). */
export function useMenu(): readonly MenuGroup[] {
  const user = useUser()
  const hasDashboard = useStored('enable_data_export') === true
  const hasDrawings = useStored('enable_drawing') === true
  const hasTasks = useStored('enable_task') === true
  return menuFor({ user, hasDashboard, hasDrawings, hasTasks })
}
