import { chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { LogType } from '@tollgate/contracts/enums'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../ui/form/select-field.tsx'
import { TimeBox } from '../../ui/form/time-box.tsx'
import type { Filter } from '../../ui/list/filters.tsx'
import { useNarrow } from '../../ui/page/use-narrow.ts'
import { groupNames } from './api.ts'
import { hasMore, MoreButton, MoreFilters } from './more-filters.tsx'
import { presetOf, PRESETS, type LogRange, type LogSearch } from './search.ts'

const TYPES = [
  { type: LogType.topUp, text: 'top-up' },
  { type: LogType.consume, text: 'consume' },
  { type: LogType.admin, text: 'admin' },
  { type: LogType.system, text: 'system' },
  { type: LogType.error, text: 'error' },
  { type: LogType.refused, text: 'refused' },
] as const

type RangeProps = { readonly search: LogSearch; readonly range: LogRange; readonly onSearch: (search: LogSearch) => void }

/** Range, type, model, token, for admins user and channel; the others in a second line. The address holds all of them. */
export function useLogFilters({ isAdmin, ...range }: RangeProps & { readonly isAdmin: boolean }): readonly Filter[] {
  const { t } = useTranslation(['logs', 'display'])
  const groups = useQuery(groupNames(isAdmin))
  const types = TYPES.map(({ type, text }) => ({ value: String(type), label: t(`display:log-type.${text}`) }))
  const { search } = range
  const [isOpen, setOpen] = useState(false)
  const isNarrow = useNarrow()
  const filters: readonly Filter[] = [
    { kind: 'custom', name: 'preset', element: <RangeFilter key="preset" {...range} /> },
    {
      kind: 'choice',
      name: 'type',
      label: t('filter.type'),
      width: '5.75rem',
      choices: [{ value: '', label: t('display:log-type.all') }, ...types],
    },
    { kind: 'text', name: 'model_name', label: t('filter.model'), isMain: true, width: '8rem' },
    { kind: 'text', name: 'token_name', label: t('filter.token'), width: '7.75rem' },
  ]
  const forAdmins: readonly Filter[] = [
    { kind: 'text', name: 'username', label: t('filter.username'), width: '7rem' },
    { kind: 'text', name: 'channel', label: t('filter.channel'), width: '8.5rem' },
  ]
  const more: readonly Filter[] = [
    { kind: 'text', name: 'request_id', label: t('filter.request'), width: '8rem', isMono: true },
    { kind: 'custom', name: 'more', element: <MoreButton key="more" isOpen={isOpen} onToggle={() => setOpen(!isOpen)} /> },
    ...(isOpen || hasMore(search) || isNarrow
      ? [
          {
            kind: 'custom',
            name: 'more-filters',
            element: <MoreFilters key="more-filters" search={search} groups={groups.data ?? []} onSearch={range.onSearch} />,
          } as const,
        ]
      : []),
  ]
  return [...filters, ...(isAdmin ? forAdmins : []), ...more]
}

function RangeFilter({ search, range, onSearch }: RangeProps): ReactNode {
  const { t } = useTranslation('logs')
  const { preset: _preset, start, end, page: _page, ...rest } = search
  const shown = presetOf(search)
  const choose = (name: string): void => {
    const preset = PRESETS.find((one) => one === name)
    onSearch(preset === undefined ? { ...rest, start: range.start_timestamp, end: range.end_timestamp } : { ...rest, preset })
  }
  return (
    <>
      <Select
        label={t('filter.range')}
        width="7.75rem"
        value={shown}
        onChange={choose}
        choices={[...PRESETS, 'custom' as const].map((preset) => ({ value: preset, label: t(`preset.${preset}`) }))}
      />
      {shown === 'custom' ? (
        <chakra.span key={`${start}-${end}`} display="inline-flex" gap="1" alignItems="center" gridColumn="1 / -1">
          <TimeBox
            label={t('filter.start')}
            value={start}
            onValue={(time) => onSearch({ ...rest, ...timeOf('end', end), ...timeOf('start', time) })}
          />
          <chakra.span color="text.muted" aria-hidden>
            –
          </chakra.span>
          <TimeBox
            label={t('filter.end')}
            value={end}
            onValue={(time) => onSearch({ ...rest, ...timeOf('start', start), ...timeOf('end', time) })}
          />
        </chakra.span>
      ) : null}
    </>
  )
}

const timeOf = (name: 'start' | 'end', time: number | undefined): LogSearch => (time === undefined ? {} : { [name]: time })
