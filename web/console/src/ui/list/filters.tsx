import { Button, Switch } from '@chakra-ui/react'
import { SlidersHorizontal } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Select, type Choice } from '../form/select-field.tsx'
import { useNarrow } from '../page/use-narrow.ts'
import { FilterBar, SearchField, type FilterChip } from './filter-bar.tsx'

/** One filter of a list, as data; its value is in the address under its name. */
export type Filter =
  | {
      readonly kind: 'text'
      readonly name: string
      readonly label: string
      readonly placeholder?: string
      readonly width?: string
      /** `/` jumps here; one per page, and the only one that a phone shows at once. */
      readonly isMain?: boolean
      readonly isMono?: boolean
    }
  | { readonly kind: 'choice'; readonly name: string; readonly label: string; readonly choices: readonly Choice[]; readonly width?: string }
  | {
      readonly kind: 'toggle'
      readonly name: string
      readonly label: string
      readonly isOn: boolean
      readonly onChange: (isOn: boolean) => void
    }
  | { readonly kind: 'custom'; readonly name: string; readonly element: ReactNode }

type FiltersProps<Search> = {
  readonly filters: readonly Filter[]
  readonly search: Search
  readonly onSearch: (search: Search) => void
  readonly settings: ReactNode
}

/** The filters of a list in one line; on a phone the main one, and the others behind a button. */
export function Filters<Search extends object>({ filters, search, onSearch, settings }: FiltersProps<Search>): ReactNode {
  const { t } = useTranslation('display')
  const [isOpen, setOpen] = useState(false)
  const isNarrow = useNarrow()
  // A filter's value is of its name's type: the address is parsed again wherever it is read.
  const set = useCallback((change: object) => onSearch({ ...search, page: undefined, ...change } as Search), [search, onSearch])
  const values = new Map(Object.entries(search).map(([name, value]) => [name, String(value ?? '')]))
  const chips = filters.flatMap((filter) => chipOf(filter, values.get(filter.name) ?? '', set))
  const clear = (): void => set(Object.fromEntries(chips.map(({ id }) => [id, undefined])))
  const shown = filters.filter((filter) => !isNarrow || isOpen || isMain(filter))
  return (
    <FilterBar chips={chips} onClear={clear}>
      {shown.map((filter) => (
        <FilterControl key={filter.name} filter={filter} value={values.get(filter.name) ?? ''} set={set} />
      ))}
      {isNarrow && !filters.every(isMain) ? (
        <Button variant="outline" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontal />
          {t(isOpen ? 'table.fewer-filters' : 'table.more-filters')}
        </Button>
      ) : null}
      {settings}
    </FilterBar>
  )
}

const isMain = (filter: Filter): boolean => filter.kind === 'text' && filter.isMain === true

function chipOf(filter: Filter, value: string, set: (change: object) => void): readonly FilterChip[] {
  if (value === '' || (filter.kind !== 'text' && filter.kind !== 'choice')) return []
  const shown = filter.kind === 'choice' ? (filter.choices.find((one) => one.value === value)?.label ?? value) : value
  return [{ id: filter.name, label: filter.label, value: shown, onClear: () => set({ [filter.name]: undefined }) }]
}

type ControlProps = { readonly filter: Filter; readonly value: string; readonly set: (change: object) => void }

function FilterControl({ filter, value, set }: ControlProps): ReactNode {
  const { name } = filter
  const onChange = useCallback((next: string) => set({ [name]: next === '' ? undefined : next }), [set, name])
  if (filter.kind === 'custom') return filter.element
  if (filter.kind === 'toggle') return <Toggle label={filter.label} isOn={filter.isOn} onChange={filter.onChange} />
  if (filter.kind === 'choice') {
    const width = filter.width === undefined ? {} : { width: filter.width }
    return <Select label={filter.label} value={value} choices={filter.choices} onChange={onChange} {...width} />
  }
  const { label, placeholder = label, kind: _kind, name: _name, ...rest } = filter
  return <SearchField value={value} onChange={onChange} placeholder={placeholder} {...rest} />
}

function Toggle({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }): ReactNode {
  return (
    <Switch.Root checked={isOn} onCheckedChange={({ checked }) => onChange(checked)} px="1">
      <Switch.HiddenInput />
      <Switch.Control>
        <Switch.Thumb />
      </Switch.Control>
      <Switch.Label whiteSpace="nowrap">{label}</Switch.Label>
    </Switch.Root>
  )
}
