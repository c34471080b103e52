import { Button, chakra } from '@chakra-ui/react'
import { X } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toOption, type PickOption } from './pick-list.ts'
import { PickPopover } from './pick-popover.tsx'

type TagSelectProps = {
  readonly label: string
  readonly options: readonly (string | PickOption)[]
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
  const choices = useMemo(() => options.map(toOption), [options])
  const summary = value.length === 0 ? (placeholder ?? t('select.search')) : t('select.selected', { count: value.length })
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5" width="full">
      <PickPopover
        isMultiple
        isMono={isMono === true}
        label={label}
        options={choices}
        value={value}
        onPick={(name) => onChange(value.includes(name) ? value.filter((other) => other !== name) : [...value, name])}
        summary={summary}
        summaryText={summary}
      />
      <Chips label={label} names={value} isMono={isMono === true} onRemove={(name) => onChange(value.filter((other) => other !== name))} />
    </chakra.div>
  )
}

type ChipsProps = {
  readonly label: string
  readonly names: readonly string[]
  readonly isMono: boolean
  readonly onRemove: (name: string) => void
}

/** The chosen values, each with a cross; of many, the first few until the user asks for all. */
export function Chips({ label, names, isMono, onRemove }: ChipsProps): ReactNode {
  const { t } = useTranslation('display')
  const [isAll, setAll] = useState(false)
  if (names.length === 0) return null
  return (
    <chakra.ul listStyleType="none" display="flex" flexWrap="wrap" gap="1" aria-label={label}>
      {(isAll ? names : names.slice(0, FEW)).map((name) => (
        <Chosen key={name} name={name} isMono={isMono} onRemove={() => onRemove(name)} />
      ))}
      {names.length > FEW ? (
        <li>
          <Button type="button" size="xs" variant="ghost" onClick={() => setAll(!isAll)}>
            {isAll ? t('select.show-fewer') : t('select.show-all', { count: names.length })}
          </Button>
        </li>
      ) : null}
    </chakra.ul>
  )
}

function Chosen({ name, isMono, onRemove }: { name: string; isMono: boolean; onRemove: () => void }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <chakra.li
      display="inline-flex"
      alignItems="center"
      gap="0.5"
      ps="1.5"
      pe="0.5"
      minH="6"
      maxW="full"
      bg="subtle"
      borderWidth="1px"
      borderColor="border"
      borderRadius="sm"
    >
      <chakra.span
        textStyle="xs"
        color="text.strong"
        overflow="hidden"
        textOverflow="ellipsis"
        whiteSpace="nowrap"
        {...(isMono ? { fontFamily: 'mono' } : {})}
      >
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
