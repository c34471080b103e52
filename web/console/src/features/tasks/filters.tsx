import { chakra } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TimeBox } from '../../ui/form/time-box.tsx'
import type { Filter } from '../../ui/list/filters.tsx'
import { rangeOf, type TaskRange, type TaskSearch } from './search.ts'

type FilterProps = {
  readonly search: TaskSearch
  readonly onSearch: (search: TaskSearch) => void
  readonly isAdmin: boolean
  readonly defaultRange: (now: Date) => TaskRange
}

/** Task id, start and end, for admins the channel: the filters of both lists, and the range that they make. */
export function useTaskFilters({ search, onSearch, isAdmin, defaultRange }: FilterProps) {
  const { t } = useTranslation('tasks')
  // Read once: a range that moves with every render is never cached.
  const [byDefault] = useState(() => defaultRange(new Date()))
  const range = rangeOf(search, byDefault)
  const filters: readonly Filter[] = [
    { kind: 'text', name: 'task_id', label: t('filter.task'), isMain: true, isMono: true, width: '15rem' },
    ...(isAdmin ? [{ kind: 'text', name: 'channel', label: t('filter.channel'), width: '8.5rem' } as const] : []),
    {
      kind: 'custom',
      name: 'range',
      element: <Range key="range" search={search} range={range} onSearch={onSearch} />,
    },
  ]
  return { filters, range }
}

type RangeProps = Pick<FilterProps, 'search' | 'onSearch'> & { readonly range: TaskRange }

/** Shows the bounds that apply: the default ones until others are chosen, none with a task id. An emptied box returns to its default. */
function Range({ search, range, onSearch }: RangeProps): ReactNode {
  const { t } = useTranslation('tasks')
  const { start: _start, end: _end, page: _page, ...rest } = search
  const change = (bound: 'start' | 'end') => (time: number | undefined) =>
    onSearch({ ...rest, ...without(given(search), bound), ...(time === undefined ? {} : { [bound]: time }) })
  return (
    <chakra.span
      display="inline-flex"
      flexWrap={{ base: 'wrap', sm: 'nowrap' }}
      gap="1"
      alignItems="center"
      gridColumn="1 / -1"
      key={`${range.start}-${range.end}`}
    >
      <TimeBox label={t('filter.start')} value={range.start === 0 ? undefined : range.start} onValue={change('start')} />
      <chakra.span color="text.muted" aria-hidden hideBelow="sm">
        –
      </chakra.span>
      <TimeBox label={t('filter.end')} value={range.end === 0 ? undefined : range.end} onValue={change('end')} />
    </chakra.span>
  )
}

const given = ({ start, end }: TaskSearch): Partial<TaskRange> => ({
  ...(start === undefined ? {} : { start }),
  ...(end === undefined ? {} : { end }),
})

const without = (range: Partial<TaskRange>, bound: 'start' | 'end'): Partial<TaskRange> =>
  Object.fromEntries(Object.entries(range).filter(([name]) => name !== bound))
