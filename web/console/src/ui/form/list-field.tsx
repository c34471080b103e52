import { Button, chakra, Input } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LabelledField } from './labelled-field.tsx'
import { fromCommaList } from './pick-list.ts'
import { Chips } from './tag-select.tsx'
import type { Bound } from './use-resource-form.ts'

type ListFieldProps = Bound<string> & {
  readonly label: string
  readonly help?: string | undefined
  readonly placeholder?: string
  /** Why an entry cannot be added. */
  readonly problemOf: (entry: string) => string | undefined
  readonly repeated: string
  /** `A` is the same entry as `a`. */
  readonly ignoresCase?: boolean
}

/** Entries that are added and removed one by one, or pasted with commas; the value is the comma-separated list. */
export function ListField({
  label,
  help,
  placeholder,
  problemOf,
  repeated,
  ignoresCase = false,
  value,
  onValue,
  error,
  field,
}: ListFieldProps): ReactNode {
  const { t } = useTranslation('display')
  const [text, setText] = useState('')
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const entries = fromCommaList(value)
  const keyOf = (entry: string): string => (ignoresCase ? entry.toLowerCase() : entry)
  const known = new Set(entries.map(keyOf))
  const add = (): void => {
    const typed = fromCommaList(text.replaceAll(/[\s，、;；]+/g, ','))
    const problem = typed.map((entry) => (known.has(keyOf(entry)) ? repeated : problemOf(entry))).find((one) => one !== undefined)
    setRefused(problem)
    if (problem !== undefined || typed.length === 0) return
    onValue([...entries, ...typed].join(','))
    setText('')
  }
  return (
    <LabelledField label={label} help={help} error={refused ?? error} field={field}>
      <chakra.div display="flex" gap="2" w="full">
        <Input
          {...(placeholder === undefined ? {} : { placeholder })}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setRefused(undefined)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || text.trim() === '') return
            event.preventDefault()
            add()
          }}
        />
        <Button type="button" variant="outline" disabled={text.trim() === ''} onClick={add}>
          {t('action.add')}
        </Button>
      </chakra.div>
      <Chips
        label={label}
        names={entries}
        isMono={false}
        onRemove={(name) => onValue(entries.filter((other) => other !== name).join(','))}
      />
    </LabelledField>
  )
}
