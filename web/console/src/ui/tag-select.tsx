import { Button, chakra, Input, Popover, Portal } from '@chakra-ui/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check, ChevronDown, X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { matching } from './pick-list.ts'

type TagSelectProps = {
  readonly label: string
  readonly options: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
  readonly placeholder?: string
  /** Names in the monospaced type, as for models. */
  readonly isMono?: boolean
}

const FEW = 24

/** Several of a list that may be long: chips of what is chosen, and a searchable list that renders only what is in view. */
export function TagSelect({ label, options, value, onChange, placeholder, isMono }: TagSelectProps): ReactNode {
  const { t } = useTranslation('display')
  const [isAll, setAll] = useState(false)
  const summary = value.length === 0 ? (placeholder ?? t('select.search')) : t('select.selected', { count: value.length })
  const shown = isAll ? value : value.slice(0, FEW)
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5" width="full">
      <Popover.Root positioning={{ sameWidth: true, placement: 'bottom-start' }} lazyMount unmountOnExit>
        <Popover.Trigger asChild>
          <Button type="button" variant="outline" justifyContent="space-between" width="full" fontWeight="normal" aria-label={`${label} ${summary}`}>
            <chakra.span color={value.length === 0 ? 'text.muted' : 'text.strong'}>
              {summary}
            </chakra.span>
            <ChevronDown />
          </Button>
        </Popover.Trigger>
        <Portal>
          <Popover.Positioner>
            <Popover.Content width="full" overflow="hidden" maxHeight="none" aria-label={label}>
              <PickList options={options} value={value} onChange={onChange} isMono={isMono === true} />
            </Popover.Content>
          </Popover.Positioner>
        </Portal>
      </Popover.Root>
      {value.length === 0 ? null : (
        <chakra.ul listStyleType="none" display="flex" flexWrap="wrap" gap="1" aria-label={label}>
          {shown.map((name) => (
            <Chosen key={name} name={name} isMono={isMono === true} onRemove={() => onChange(value.filter((other) => other !== name))} />
          ))}
          {value.length > FEW ? (
            <li>
              <Button type="button" size="xs" variant="ghost" onClick={() => setAll(!isAll)}>
                {isAll ? t('select.show-fewer') : t('select.show-all', { count: value.length })}
              </Button>
            </li>
          ) : null}
        </chakra.ul>
      )}
    </chakra.div>
  )
}

function Chosen({ name, isMono, onRemove }: { name: string; isMono: boolean; onRemove: () => void }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <chakra.li display="inline-flex" alignItems="center" gap="0.5" ps="1.5" pe="0.5" minH="6" maxW="full" bg="subtle" borderWidth="1px" borderColor="border" borderRadius="sm">
      <chakra.span textStyle="xs" color="text.strong" overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap" {...(isMono ? { fontFamily: 'mono' } : {})}>
        {name}
      </chakra.span>
      <chakra.button
        type="button"
        aria-label={t('select.remove', { name })}
        display="inline-flex"
        p="0.5"
        borderRadius="xs"
        color="text.muted"
        cursor="pointer"
        focusVisibleRing="inside"
        _hover={{ color: 'text.strong', bg: 'emphasized' }}
        onClick={onRemove}
      >
        <X size={12} />
      </chakra.button>
    </chakra.li>
  )
}

const ROW = 30

function PickList({ options, value, onChange, isMono }: { options: readonly string[]; value: readonly string[]; onChange: (value: readonly string[]) => void; isMono: boolean }): ReactNode {
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
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key === 'ArrowDown') move(active + 1)
    else if (event.key === 'ArrowUp') move(active - 1)
    else if (event.key === 'Enter') toggleActive()
    else return
    event.preventDefault()
  }
  const toggleActive = (): void => {
    const name = names[active]
    if (name !== undefined) toggle(name)
  }
  return (
    <>
      <chakra.div p="1.5" borderBottomWidth="1px" borderColor="border">
        <Input
          size="sm"
          autoFocus
          placeholder={t('select.search')}
          aria-label={t('select.search')}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
      </chakra.div>
      {names.length === 0 ? (
        <chakra.p p="3" color="text.muted" textStyle="sm">
          {options.length === 0 ? t('select.none') : t('select.no-match', { search })}
        </chakra.p>
      ) : null}
      <chakra.div ref={scroller} maxH="15rem" overflowY="auto" role="listbox" aria-multiselectable tabIndex={-1} aria-label={t('select.search')}>
        <chakra.div position="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map((place) => {
            const name = names[place.index] ?? ''
            return (
              <chakra.div
                key={name}
                role="option"
                aria-selected={chosen.has(name)}
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
                bg={place.index === active ? 'subtle' : 'transparent'}
                _hover={{ bg: 'subtle' }}
                style={{ height: ROW, transform: `translateY(${place.start}px)` }}
                onClick={() => toggle(name)}
              >
                <chakra.span display="inline-flex" width="4" color="accent.fg">{chosen.has(name) ? <Check size={14} /> : null}</chakra.span>
                <chakra.span overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap" {...(isMono ? { fontFamily: 'mono', textStyle: 'xs' } : {})}>{name}</chakra.span>
              </chakra.div>
            )
          })}
        </chakra.div>
      </chakra.div>
    </>
  )
}
