import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LabelledField } from './labelled-field.tsx'
import { toOption, type PickOption } from './pick-list.ts'
import { PickPopover } from './pick-popover.tsx'
import type { Bound } from './use-resource-form.ts'

type PickFieldProps = Pick<Bound<string>, 'value' | 'onValue'> &
  Partial<Bound<string>> & {
    readonly label: string
    readonly help?: string | undefined
    readonly options: readonly (string | PickOption)[]
    readonly placeholder?: string
    readonly isMono?: boolean
    readonly isRequired?: boolean
  }

/** One of a list that is too long for a menu: searchable, grouped, with marks. A value that is not in the list stays. */
export function PickField({ label, help, options, placeholder, isMono, isRequired, value, onValue, ...rest }: PickFieldProps): ReactNode {
  const { t } = useTranslation('display')
  const choices = useMemo(() => {
    const known = options.map(toOption)
    return value === '' || known.some((option) => option.value === value) ? known : [{ value }, ...known]
  }, [options, value])
  const chosen = choices.find((option) => option.value === value)
  const summary = chosen === undefined ? (placeholder ?? t('select.search')) : (chosen.label ?? chosen.value)
  return (
    <LabelledField label={label} help={help} isRequired={isRequired ?? false} {...rest}>
      <PickPopover
        isMultiple={false}
        isMono={isMono === true}
        label={label}
        options={choices}
        value={chosen === undefined ? [] : [value]}
        onPick={onValue}
        summary={summary}
        summaryText={summary}
      />
    </LabelledField>
  )
}
