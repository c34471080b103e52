import { chakra } from '@chakra-ui/react'
import { SERIES_UNITS } from '@tollgate/contracts/resources/dashboard'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../lib/session.ts'
import { Select } from '../../ui/form/select-field.tsx'
import { TimeBox } from '../../ui/form/time-box.tsx'
import { SearchField } from '../../ui/list/filter-bar.tsx'
import type { Frame } from './frame.ts'
import { RANGES, type By, type DashboardSearch, type Rank, type Unit } from './search.ts'

const OWN_BY = ['model', 'token', 'group'] as const satisfies readonly By[]
const ORGANISATION_BY = [...OWN_BY, 'project', 'member'] as const satisfies readonly By[]
const ALL_BY = ['model', 'user', 'token', 'channel', 'group'] as const satisfies readonly By[]
const RANKS = ['quota', 'requests', 'tokens', 'errors'] as const satisfies readonly Rank[]

type FiltersProps = {
  readonly search: DashboardSearch
  readonly unit: Unit
  readonly isAdmin: boolean
  readonly frame: Frame
  /** Undefined fields are removed from the address. */
  readonly onChange: (change: { readonly [Name in keyof DashboardSearch]?: DashboardSearch[Name] | undefined }) => void
}

/** Period, granularity, what is measured and how it is split; for admins whose. The address holds all of them. */
export function DashboardFilters({ search, unit, isAdmin, frame, onChange }: FiltersProps): ReactNode {
  const { t } = useTranslation('dashboard')
  const isOfOrganisation = useUser()?.member !== undefined
  const byNames: readonly By[] = isAdmin && search.username === undefined ? ALL_BY : isOfOrganisation ? ORGANISATION_BY : OWN_BY
  const by = byNames.find((one) => one === search.by) ?? 'model'
  return (
    <chakra.div
      role="search"
      display={{ base: 'grid', sm: 'flex' }}
      gridTemplateColumns="1fr 1fr"
      flexWrap="wrap"
      gap="2"
      alignItems="center"
    >
      <RangeFilter search={search} frame={frame} onChange={onChange} />
      <Select
        label={t('unit.label')}
        width="6.5rem"
        value={unit}
        choices={SERIES_UNITS.map((value) => ({ value, label: t(`unit.${value}`) }))}
        onChange={(value) => onChange({ unit: SERIES_UNITS.find((one) => one === value) })}
      />
      <Select
        label={t('rank.label')}
        width="7.5rem"
        value={search.rank ?? 'quota'}
        choices={RANKS.map((value) => ({ value, label: t(`rank.${value}`) }))}
        onChange={(value) => onChange({ rank: RANKS.find((one) => one === value) })}
      />
      <Select
        label={t('by.label')}
        width="8rem"
        value={by}
        choices={byNames.map((value) => ({ value, label: t(`by.${value}`) }))}
        onChange={(value) => onChange({ by: byNames.find((one) => one === value) })}
      />
      {isAdmin ? (
        <SearchField
          value={search.username ?? ''}
          placeholder={t('username')}
          width="11rem"
          isMain
          onChange={(username) => onChange({ username: username === '' ? undefined : username })}
        />
      ) : null}
    </chakra.div>
  )
}

function RangeFilter({
  search,
  frame: { period, range: shown },
  onChange,
}: Pick<FiltersProps, 'search' | 'frame' | 'onChange'>): ReactNode {
  const { t } = useTranslation('dashboard')
  const choose = (value: string): void => {
    const range = RANGES.find((one) => one === value)
    // The granularity of a short range would be too fine for a long one.
    onChange(
      range === undefined ? { range, start: period.start, end: period.end } : { range, start: undefined, end: undefined, unit: undefined },
    )
  }
  return (
    <>
      <Select
        label={t('range.label')}
        width="8rem"
        value={shown}
        choices={[...RANGES, 'custom' as const].map((value) => ({ value, label: t(`range.${value}`) }))}
        onChange={choose}
      />
      {shown === 'custom' ? (
        <chakra.span key={`${search.start}-${search.end}`} display="inline-flex" gap="1" alignItems="center" gridColumn="1 / -1">
          <TimeBox label={t('range.start')} value={search.start} onValue={(start) => onChange({ start })} />
          <chakra.span color="text.muted" aria-hidden>
            –
          </chakra.span>
          <TimeBox label={t('range.end')} value={search.end} onValue={(end) => onChange({ end })} />
        </chakra.span>
      ) : null}
    </>
  )
}
