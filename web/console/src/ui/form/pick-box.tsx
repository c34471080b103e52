import { chakra, Input } from '@chakra-ui/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { matching } from './pick-list.ts'

type PickBoxProps = {
  readonly options: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
  readonly isMono: boolean
}

const ROW = 30

/** A search box over a long list; arrows move, Enter chooses, and only what is in view is rendered. */
export function PickBox({ options, value, onChange, isMono }: PickBoxProps): ReactNode {
  const { t } = useTranslation('display')
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const names = matching(options, search)
  const chosen = new Set(value)
  const list = useVirtualizer({ count: names.length, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 8 })
  const toggle = (name: string): void => onChange(chosen.has(name) ? value.filter((other) => other !== name) : [...value, name])
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(names.length - 1, to))
    setActive(next)
    list.scrollToIndex(next)
  }
  const activate = (): void => {
    const name = names[active]
    if (name !== undefined) toggle(name)
  }
  const type = (text: string): void => {
    setSearch(text)
    setActive(0)
  }
  return (
    <>
      <SearchBox search={search} onSearch={type} onMove={(by) => move(active + by)} onEnter={activate} />
      {names.length === 0 ? (
        <chakra.p p="3" color="text.muted" textStyle="sm">
          {options.length === 0 ? t('select.none') : t('select.no-match', { search })}
        </chakra.p>
      ) : null}
      <chakra.div
        ref={scroller}
        maxH="15rem"
        overflowY="auto"
        role="listbox"
        aria-multiselectable
        tabIndex={0}
        aria-label={t('select.search')}
      >
        <chakra.div position="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const name = names[index] ?? ''
            return (
              <Option
                key={name}
                name={name}
                start={start}
                isChosen={chosen.has(name)}
                isActive={index === active}
                isMono={isMono}
                onToggle={toggle}
              />
            )
          })}
        </chakra.div>
      </chakra.div>
    </>
  )
}

type SearchBoxProps = {
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onEnter: () => void
}

function SearchBox({ search, onSearch, onMove, onEnter }: SearchBoxProps): ReactNode {
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
        placeholder={t('select.search')}
        aria-label={t('select.search')}
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </chakra.div>
  )
}

type OptionProps = {
  readonly name: string
  /** Pixels from the top of the list. */
  readonly start: number
  readonly isChosen: boolean
  readonly isActive: boolean
  readonly isMono: boolean
  readonly onToggle: (name: string) => void
}

function Option({ name, start, isChosen, isActive, isMono, onToggle }: OptionProps): ReactNode {
  return (
    <chakra.div
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
      style={{ height: ROW, transform: `translateY(${start}px)` }}
      onClick={() => onToggle(name)}
    >
      <chakra.span display="inline-flex" width="4" color="accent.fg">
        {isChosen ? <Check size={14} /> : null}
      </chakra.span>
      <chakra.span
        overflow="hidden"
        textOverflow="ellipsis"
        whiteSpace="nowrap"
        {...(isMono ? { fontFamily: 'mono', textStyle: 'xs' } : {})}
      >
        {name}
      </chakra.span>
    </chakra.div>
  )
}
