import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { SearchField } from '../../ui/list/filter-bar.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { optionNotes, optionRows } from './api.ts'
import type { SettingsSearch } from './search.ts'

// The registry brings the rules of every option; the frame of the page comes sooner.
const Sections = lazy(async () => ({ default: (await import('./sections.tsx')).Sections }))

/** `/setting`: what an operator can change, by section. */
export function SettingsPage({ search, onSearch }: { search: SettingsSearch; onSearch: (search: SettingsSearch) => void }): ReactNode {
  const { t } = useTranslation('settings')
  const rows = useQuery(optionRows)
  const notes = useQuery(optionNotes)
  const onKeyword = useCallback((keyword: string) => onSearch({ keyword }), [onSearch])
  const error = rows.error ?? notes.error
  const known = rows.data === undefined || notes.data === undefined ? undefined : { rows: rows.data, notes: notes.data }
  return (
    <Page title={t('title')} lead={t('lead')}>
      <SearchField isMain value={search.keyword ?? ''} onChange={onKeyword} placeholder={t('search-placeholder')} width="22rem" />
      {error === null || known !== undefined ? null : (
        <ErrorState message={failureText(error) ?? ''} onRetry={() => void Promise.all([rows.refetch(), notes.refetch()])} />
      )}
      {known === undefined ? null : (
        <Suspense fallback={null}>
          <Sections {...known} search={search.keyword ?? ''} />
        </Suspense>
      )}
    </Page>
  )
}
