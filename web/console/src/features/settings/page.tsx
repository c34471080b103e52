import { Skeleton, Stack, Tabs } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { lazy, Suspense, useCallback, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { SearchField } from '../../ui/list/filter-bar.tsx'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { optionNotes, optionRows } from './api.ts'
import { TABS, type Tab } from './tabs.ts'
import type { SettingsSearch } from './search.ts'
import { Transfer } from './transfer.tsx'

// The registry brings the rules of every option; the frame of the page comes sooner.
const Sections = lazy(async () => ({ default: (await import('./sections.tsx')).Sections }))

type PageProps = { readonly search: SettingsSearch; readonly onSearch: (search: SettingsSearch) => void }

/** `/setting`: what an operator can change, by tab and section. */
export function SettingsPage({ search, onSearch }: PageProps): ReactNode {
  const { t } = useTranslation('settings')
  const user = useUser()
  const tab = search.tab ?? 'operation'
  const keyword = search.keyword ?? ''
  const onKeyword = useCallback(
    (text: string) => onSearch({ ...(search.tab === undefined ? {} : { tab: search.tab }), keyword: text }),
    [onSearch, search.tab],
  )
  const choose = (chosen: string): void => onSearch({ tab: TABS.find((one) => one === chosen) ?? 'operation' })
  const settings = isRoot(user) ? (
    <Settings tab={tab} keyword={keyword} />
  ) : (
    <EmptyState icon={<Lock />} title={t('root-only')} help={t('root-only-help')} />
  )
  return (
    <Page title={t('title')} lead={t('lead')} action={isRoot(user) ? <TransferAll /> : null}>
      <SearchField isMain value={keyword} onChange={onKeyword} placeholder={t('search-placeholder')} width="22rem" />
      <Tabs.Root value={keyword === '' ? tab : ''} onValueChange={({ value }) => choose(value)} activationMode="manual">
        <Tabs.List aria-label={t('title')}>
          {TABS.map((one) => (
            <Tabs.Trigger key={one} value={one}>
              {t(`tab.${one}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {keyword === '' ? <Tabs.Content value={tab}>{settings}</Tabs.Content> : settings}
      </Tabs.Root>
    </Page>
  )
}

function TransferAll(): ReactNode {
  const rows = useQuery(optionRows)
  const notes = useQuery(optionNotes)
  return <Transfer known={rows.data === undefined || notes.data === undefined ? undefined : { rows: rows.data, notes: notes.data }} />
}

function Settings({ tab, keyword }: { readonly tab: Tab; readonly keyword: string }): ReactNode {
  const rows = useQuery(optionRows)
  const notes = useQuery(optionNotes)
  const error = rows.error ?? notes.error
  if (rows.data !== undefined && notes.data !== undefined)
    return (
      <Suspense fallback={<Loading />}>
        <Sections rows={rows.data} notes={notes.data} tab={tab} search={keyword} />
      </Suspense>
    )
  if (error === null) return <Loading />
  return <ErrorState message={failureText(error) ?? ''} onRetry={() => void Promise.all([rows.refetch(), notes.refetch()])} />
}

function Loading(): ReactNode {
  return (
    <Stack gap="4" aria-busy>
      <Skeleton h="60" />
      <Skeleton h="40" />
    </Stack>
  )
}
