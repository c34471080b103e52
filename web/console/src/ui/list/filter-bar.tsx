import { Button, chakra, Input } from '@chakra-ui/react'
import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export type FilterChip = { readonly id: string; readonly label: string; readonly value: string; readonly onClear: () => void }

/** The filters of a list, saved in the URL by their owner; what is set stands below as chips and can be cleared. */
export function FilterBar({
  chips,
  onClear,
  children,
}: {
  chips: readonly FilterChip[]
  onClear: () => void
  children: ReactNode
}): ReactNode {
  const { t } = useTranslation('display')
  return (
    <chakra.div display="flex" flexDirection="column" gap="2" flexShrink="0" role="search">
      <chakra.div display={{ base: 'grid', sm: 'flex' }} gridTemplateColumns="1fr 1fr" flexWrap="wrap" gap="2" alignItems="center">
        {children}
      </chakra.div>
      {chips.length === 0 ? null : (
        <chakra.div display="flex" flexWrap="wrap" gap="1.5" alignItems="center">
          {chips.map((chip) => (
            <Chip key={chip.id} chip={chip} />
          ))}
          <Button size="xs" variant="ghost" onClick={onClear}>
            {t('action.clear-all')}
          </Button>
        </chakra.div>
      )}
    </chakra.div>
  )
}

function Chip({ chip }: { chip: FilterChip }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="1"
      ps="2"
      pe="0.5"
      minH="6"
      maxW="full"
      borderRadius="sm"
      bg="subtle"
      borderWidth="1px"
      borderColor="border"
      textStyle="xs"
    >
      <chakra.span color="text.muted" whiteSpace="nowrap">
        {chip.label}
      </chakra.span>
      <chakra.span color="text.strong" overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
        {chip.value}
      </chakra.span>
      <chakra.button
        type="button"
        aria-label={`${t('action.clear')} ${chip.label}`}
        display="inline-flex"
        p="0.5"
        borderRadius="xs"
        cursor="pointer"
        color="text.muted"
        focusVisibleRing="inside"
        _hover={{ color: 'text.strong', bg: 'emphasized' }}
        onClick={chip.onClear}
      >
        <X size={12} />
      </chakra.button>
    </chakra.span>
  )
}

type SearchFieldProps = {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder: string
  readonly width?: string
  /** `/` jumps here; one per page. */
  readonly isMain?: boolean
  readonly isMono?: boolean
}

const SETTLE_MS = 300

/** A text filter that takes effect when typing pauses, on Enter and on leaving. */
export function SearchField({ value, onChange, placeholder, width, isMain, isMono }: SearchFieldProps): ReactNode {
  const [draft, setDraft] = useState({ text: value, of: value })
  const box = useRef<HTMLInputElement>(null)
  // The URL changed from outside (back, clear): it wins over what was typed.
  const text = draft.of === value ? draft.text : value
  const commit = (next: string): void => (next === value ? undefined : onChange(next.trim()))

  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text.trim()), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  useEffect(() => (isMain === true ? focusOnSlash(box) : undefined), [isMain])

  return (
    <chakra.div position="relative" width={{ base: 'full', sm: width ?? '13rem' }} {...(isMain === true ? { gridColumn: '1 / -1' } : {})}>
      <chakra.span
        position="absolute"
        insetStart="2.5"
        top="0"
        bottom="0"
        display="inline-flex"
        alignItems="center"
        color="text.muted"
        pointerEvents="none"
        zIndex="1"
      >
        <Search size={14} />
      </chakra.span>
      <Input
        ref={box}
        type="search"
        ps="8"
        placeholder={placeholder}
        aria-label={placeholder}
        value={text}
        onChange={(event) => setDraft({ text: event.target.value, of: value })}
        onBlur={() => commit(text)}
        onKeyDown={(event) => (event.key === 'Enter' ? commit(text) : undefined)}
        {...(isMono === true ? { fontFamily: 'mono' } : {})}
      />
    </chakra.div>
  )
}

function focusOnSlash(box: React.RefObject<HTMLInputElement | null>): () => void {
  const listen = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [contenteditable="true"]')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    box.current?.focus()
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}
