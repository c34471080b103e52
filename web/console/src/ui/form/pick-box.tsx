import { chakra, Input } from '@chakra-ui/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check } from 'lucide-react'
import { useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ToneTag } from '../display/tone-tag.tsx'
import { pickRows, type PickOption } from './pick-list.ts'

type PickBoxProps = {
  readonly options: readonly PickOption[]
  readonly value: readonly string[]
  readonly onPick: (value: string) => void
  readonly isMultiple: boolean
  readonly isMono: boolean
}

const ROW = 30

/** A search box over a long list; arrows move, Enter chooses, and only what is in view is rendered. */
export function PickBox({ options, value, onPick, isMultiple, isMono }: PickBoxProps): ReactNode {
  const { t } = useTranslation('display')
  const id = useId()
  const [search, setSearch] = useState('')
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => pickRows(options, search), [options, search])
  const [active, setActive] = useState(() => Math.max(0, firstOf(rows, value)))
  const chosen = new Set(value)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    initialOffset: active * ROW,
  })
  const move = (by: 1 | -1): void => {
    let next = active + by
    while (rows[next]?.kind === 'section') next += by
    if (rows[next] === undefined) return
    setActive(next)
    list.scrollToIndex(next)
  }
  const activate = (): void => {
    const row = rows[active]
    if (row?.kind === 'option') onPick(row.option.value)
  }
  const type = (text: string): void => {
    setSearch(text)
    setActive(Math.max(0, firstOf(pickRows(options, text), [])))
  }
  return (
    <>
      <SearchBox listId={id} active={`${id}-${active}`} search={search} onSearch={type} onMove={move} onEnter={activate} />
      {rows.length === 0 ? (
        <chakra.p p="3" color="text.muted" textStyle="sm">
          {options.length === 0 ? t('select.none') : t('select.no-match', { search })}
        </chakra.p>
      ) : null}
      <chakra.div
        ref={scroller}
        id={id}
        maxH="15rem"
        overflowY="auto"
        role="listbox"
        aria-multiselectable={isMultiple}
        tabIndex={0}
        aria-label={t('select.search')}
      >
        <chakra.div position="relative" role="presentation" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            if (row.kind === 'section') return <Section key={row.name} name={row.name} start={start} />
            const { option } = row
            const isChosen = chosen.has(option.value)
            return (
              <Option
                key={option.value}
                id={`${id}-${index}`}
                isActive={index === active}
                onToggle={onPick}
                {...{ option, start, isChosen, isMono }}
              />
            )
          })}
        </chakra.div>
      </chakra.div>
    </>
  )
}

/** The line of the first chosen option, else of the first option. */
function firstOf(rows: ReturnType<typeof pickRows>, value: readonly string[]): number {
  const chosen = rows.findIndex((row) => row.kind === 'option' && value.includes(row.option.value))
  return chosen === -1 ? rows.findIndex((row) => row.kind === 'option') : chosen
}

type SearchBoxProps = {
  readonly listId: string
  readonly active: string
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onEnter: () => void
}

function SearchBox({ listId, active, search, onSearch, onMove, onEnter }: SearchBoxProps): ReactNode {
  const { t } = useTranslation('display')
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') onMove(1)
    else if (event.key === 'ArrowUp') onMove(-1)
    else if (event.key === 'Enter') onEnter()
    else return
    event.preventDefault()
  }
  return (
    <chakra.div p="1.5" borderBottomWidth="1px" borderColor="border">
      <Input
        size="sm"
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={active}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={t('select.search')}
        aria-label={t('select.search')}
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </chakra.div>
  )
}

/** Pixels from the top of the list. */
type Placed = { readonly start: number }
const placed = (start: number) => ({ height: ROW, transform: `translateY(${start}px)` })

function Section({ name, start }: Placed & { readonly name: string }): ReactNode {
  return (
    <chakra.div
      role="presentation"
      position="absolute"
      insetX="0"
      top="0"
      display="flex"
      alignItems="flex-end"
      px="2.5"
      pb="0.5"
      textStyle="2xs"
      fontWeight="medium"
      color="text.muted"
      style={placed(start)}
    >
      {name}
    </chakra.div>
  )
}

type OptionProps = Placed & {
  readonly id: string
  readonly option: PickOption
  readonly isChosen: boolean
  readonly isActive: boolean
  readonly isMono: boolean
  readonly onToggle: (value: string) => void
}

function Option({ id, option, start, isChosen, isActive, isMono, onToggle }: OptionProps): ReactNode {
  const { value, label, note } = option
  return (
    <chakra.div
      id={id}
      role="option"
      aria-selected={isChosen}
      position="absolute"
      insetX="0"
      top="0"
      display="flex"
      alignItems="center"
      gap="2"
      px="2.5"
      cursor="pointer"
      textStyle="sm"
      color="text.strong"
      bg={isActive ? 'subtle' : 'transparent'}
      _hover={{ bg: 'subtle' }}
      style={placed(start)}
      onClick={() => onToggle(value)}
    >
      <chakra.span display="inline-flex" width="4" flexShrink="0" color="accent.fg">
        {isChosen ? <Check size={14} /> : null}
      </chakra.span>
      <chakra.span
        flex="1"
        minW="0"
        overflow="hidden"
        textOverflow="ellipsis"
        whiteSpace="nowrap"
        {...(isMono ? { fontFamily: 'mono', textStyle: 'xs' } : {})}
      >
        {label ?? value}
      </chakra.span>
      {note === undefined ? null : <ToneTag tone={note.tone}>{note.text}</ToneTag>}
    </chakra.div>
  )
}
