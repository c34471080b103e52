import { chakra, Input } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { parseTimeText, timeText } from '@tollgate/domain/display/time-text'
import { LogType } from '@tollgate/contracts/enums'
import { useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { FilterBar, SearchField, type FilterChip } from '../../ui/list/filter-bar.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { groupNames } from './api.ts'
import { presetOf, PRESETS, type LogRange, type LogSearch } from './search.ts'

type FiltersProps = {
  readonly search: LogSearch
  readonly range: LogRange
  readonly isAdmin: boolean
  readonly onSearch: (search: LogSearch) => void
  readonly settings: ReactNode
}

const TYPES = [
  { type: LogType.topUp, text: 'top-up' },
  { type: LogType.consume, text: 'consume' },
  { type: LogType.admin, text: 'admin' },
  { type: LogType.system, text: 'system' },
  { type: LogType.error, text: 'error' },
] as const

/** Type, range, token, model, group; for admins channel and user. The URL holds all of them. */
export function LogFilters({ search, range, isAdmin, onSearch, settings }: FiltersProps): ReactNode {
  const { t } = useTranslation(['logs', 'display'])
  const groups = useQuery(groupNames(isAdmin))
  const set = useCallback((change: Record<string, unknown>) => onSearch({ ...search, page: 1, ...change }), [search, onSearch])
  const onToken = useCallback((token_name: string) => set({ token_name }), [set])
  const onModel = useCallback((model_name: string) => set({ model_name }), [set])
  const onChannel = useCallback((channel: string) => set({ channel }), [set])
  const onUsername = useCallback((username: string) => set({ username }), [set])
  const onPreset = (preset: string): void => {
    if (preset === 'custom') set({ preset: undefined, start: range.start_timestamp, end: range.end_timestamp })
    else set({ preset, start: undefined, end: undefined })
  }
  return (
    <FilterBar chips={useChips(search, set)} onClear={() => onSearch(search.preset === undefined ? {} : { preset: search.preset })}>
      <Select
        label={t('filter.range')}
        value={presetOf(search)}
        onChange={onPreset}
        choices={[...PRESETS, 'custom' as const].map((preset) => ({ value: preset, label: t(`preset.${preset}`) }))}
      />
      {presetOf(search) === 'custom' ? <CustomRange key={`${search.start}-${search.end}`} search={search} onChange={set} /> : null}
      <Select
        label={t('filter.type')}
        width="7.5rem"
        value={String(search.type ?? 0)}
        onChange={(type) => set({ type })}
        choices={[
          { value: '0', label: t('display:log-type.all') },
          ...TYPES.map(({ type, text }) => ({ value: String(type), label: t(`display:log-type.${text}`) })),
        ]}
      />
      <SearchField isMain value={search.model_name ?? ''} onChange={onModel} placeholder={t('filter.model')} width="11rem" />
      <SearchField value={search.token_name ?? ''} onChange={onToken} placeholder={t('filter.token')} width="10rem" />
      <Select
        label={t('filter.group')}
        width="8rem"
        value={search.group ?? ''}
        onChange={(group) => set({ group })}
        choices={[{ value: '', label: t('filter.all-groups') }, ...(groups.data ?? []).map((name) => ({ value: name, label: name }))]}
      />
      {isAdmin ? (
        <>
          <SearchField value={search.username ?? ''} onChange={onUsername} placeholder={t('filter.username')} width="9rem" />
          <SearchField
            value={search.channel === undefined ? '' : String(search.channel)}
            onChange={onChannel}
            placeholder={t('filter.channel')}
            width="8rem"
          />
        </>
      ) : null}
      {settings}
    </FilterBar>
  )
}

const CHIPS = { token_name: 'token', model_name: 'model', group: 'group', username: 'username', channel: 'channel' } as const
const CHIP_FIELDS = ['token_name', 'model_name', 'group', 'username', 'channel'] as const

function useChips(search: LogSearch, set: (change: Record<string, unknown>) => void): readonly FilterChip[] {
  const { t } = useTranslation(['logs', 'display'])
  const type = TYPES.find((one) => one.type === search.type)
  const texts = CHIP_FIELDS.flatMap((field): readonly FilterChip[] => {
    const value = search[field]
    return value === undefined
      ? []
      : [{ id: field, label: t(`filter.${CHIPS[field]}`), value: String(value), onClear: () => set({ [field]: undefined }) }]
  })
  if (type === undefined) return texts
  return [
    { id: 'type', label: t('filter.type'), value: t(`display:log-type.${type.text}`), onClear: () => set({ type: undefined }) },
    ...texts,
  ]
}

/** Two times as people write them; an empty one is open. */
function CustomRange({ search, onChange }: { search: LogSearch; onChange: (change: Record<string, unknown>) => void }): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <chakra.span display="inline-flex" gap="1" alignItems="center" width={{ base: 'full', sm: 'auto' }}>
      <TimeBox label={t('filter.start')} value={search.start} onChange={(start) => onChange({ start })} />
      <chakra.span color="text.muted" aria-hidden>
        –
      </chakra.span>
      <TimeBox label={t('filter.end')} value={search.end} onChange={(end) => onChange({ end })} />
    </chakra.span>
  )
}

function TimeBox({
  label,
  value,
  onChange,
}: {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}): ReactNode {
  const { t } = useTranslation('logs')
  const shown = value === undefined ? '' : timeText(value)
  const [draft, setDraft] = useState(shown)
  const commit = (): void => {
    if (draft.trim() === shown) return
    const parsed = parseTimeText(draft)
    if (draft.trim() === '') onChange(undefined)
    else if (parsed === undefined) toast.error(t('filter.time-error'))
    else onChange(parsed)
  }
  return (
    <Input
      width={{ base: 'full', sm: '11.5rem' }}
      fontVariantNumeric="tabular-nums"
      aria-label={label}
      placeholder={label}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => (event.key === 'Enter' ? commit() : undefined)}
    />
  )
}
