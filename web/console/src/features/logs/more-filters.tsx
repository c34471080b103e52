import { Button, chakra } from '@chakra-ui/react'
import { LOG_OUTCOMES } from '@tollgate/contracts/resources/logs'
import { SlidersHorizontal, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { SearchField } from '../../ui/list/filter-bar.tsx'
import { parseLogSearch, type LogSearch } from './search.ts'

type Props = { readonly search: LogSearch; readonly groups: readonly string[]; readonly onSearch: (search: LogSearch) => void }

const NAMES = ['group', 'outcome', 'error_code', 'min_seconds', 'session'] as const
const SECONDS = [3, 5, 10, 30, 60, 120, 300] as const

/** True if a filter is set that is shown in the second line. */
export const hasMore = (search: LogSearch): boolean => NAMES.some((name) => search[name] !== undefined)

/** Opens the second line of filters. */
export function MoreButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <chakra.span hideBelow="sm">
      <IconButton variant={isOpen ? 'subtle' : 'outline'} label={t('filter.more')} aria-expanded={isOpen} onClick={onToggle}>
        <SlidersHorizontal />
      </IconButton>
    </chakra.span>
  )
}

/** Group, outcome, error and duration: a line of their own below the others. */
export function MoreFilters({ search, groups, onSearch }: Props): ReactNode {
  const { t } = useTranslation('logs')
  const set = (name: (typeof NAMES)[number]) => (value: string) =>
    onSearch(parseLogSearch({ ...search, page: undefined, [name]: value === '' ? undefined : value }))
  const clear = (): void =>
    onSearch(parseLogSearch({ ...search, ...Object.fromEntries(NAMES.map((name) => [name, undefined])), page: undefined }))
  const { group = '', outcome = '', error_code = '', min_seconds, session } = search
  return (
    <chakra.div
      order="1"
      flexBasis="100%"
      gridColumn="1 / -1"
      display={{ base: 'grid', sm: 'flex' }}
      gridTemplateColumns="1fr 1fr"
      flexWrap="wrap"
      gap="2"
      alignItems="center"
    >
      <Select
        label={t('filter.outcome')}
        width="8rem"
        value={outcome}
        onChange={set('outcome')}
        choices={[
          { value: '', label: t('filter.all-outcomes') },
          ...LOG_OUTCOMES.map((one) => ({ value: one, label: t(`outcome.${one}`) })),
        ]}
      />
      <SearchField value={error_code} onChange={set('error_code')} placeholder={t('filter.error-code')} width="11rem" />
      <Select
        label={t('filter.duration')}
        width="8.5rem"
        value={min_seconds === undefined ? '' : String(min_seconds)}
        onChange={set('min_seconds')}
        choices={[
          { value: '', label: t('filter.any-duration') },
          ...secondsWith(min_seconds).map((seconds) => ({ value: String(seconds), label: t('filter.seconds', { seconds }) })),
        ]}
      />
      <Select
        label={t('filter.group')}
        width="7.5rem"
        value={group}
        onChange={set('group')}
        choices={[{ value: '', label: t('filter.all-groups') }, ...groups.map((name) => ({ value: name, label: name }))]}
      />
      {session === undefined ? null : (
        <Button variant="subtle" onClick={() => set('session')('')}>
          {t('filter.session')} {session}
          <X />
        </Button>
      )}
      {hasMore(search) ? (
        <Button variant="ghost" onClick={clear}>
          {t('filter.clear-more')}
        </Button>
      ) : null}
    </chakra.div>
  )
}

/** The address may name any duration. */
const secondsWith = (chosen: number | undefined): readonly number[] =>
  chosen === undefined || SECONDS.some((one) => one === chosen) ? SECONDS : [...SECONDS, chosen].toSorted((a, b) => a - b)
