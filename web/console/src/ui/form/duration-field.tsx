import { Flex, Input } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { inUnit, TIME_UNITS, unitFor, type TimeUnit } from './duration.ts'
import { LabelledField } from './labelled-field.tsx'
import { Select } from './select-field.tsx'
import type { Bound } from './use-resource-form.ts'

type DurationFieldProps = Bound<string> & {
  readonly label: string
  readonly help?: string | undefined
  /** The unit of the value; smaller ones are not offered. */
  readonly unit: TimeUnit
}

/** A length of time in the unit that reads best; the value stays in its own unit. */
export function DurationField({ label, help, unit, value, onValue, ...rest }: DurationFieldProps): ReactNode {
  const { t } = useTranslation('display')
  const [shown, setShown] = useState(() => unitFor(value, unit))
  // Half-typed numbers ("1.") have no value that says the same.
  const [draft, setDraft] = useState({ text: '', value: '' })
  const text = draft.text !== '' && draft.value === value ? draft.text : inUnit(value, unit, shown)
  const type = (typed: string): void => {
    const next = inUnit(typed, shown, unit)
    setDraft({ text: typed, value: next })
    onValue(next)
  }
  return (
    <LabelledField label={label} help={help} {...rest}>
      <Flex gap="2" w="full" maxW="20rem">
        <Input inputMode="decimal" autoComplete="off" value={text} onChange={(event) => type(event.target.value)} />
        <Select
          label={t('duration.unit', { label })}
          width="8.5rem"
          value={shown}
          choices={TIME_UNITS.slice(TIME_UNITS.indexOf(unit)).map((one) => ({ value: one, label: t(`duration.${one}`) }))}
          onChange={(one) => {
            setDraft({ text: '', value: '' })
            setShown(TIME_UNITS.find((known) => known === one) ?? unit)
          }}
        />
      </Flex>
    </LabelledField>
  )
}
