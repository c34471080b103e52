import { chakra, Field, Switch } from '@chakra-ui/react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Select, type Choice } from './select-field.tsx'
import type { PickOption } from './pick-list.ts'
import { TagSelect } from './tag-select.tsx'
import type { Bound } from './use-resource-form.ts'

type LabelledFieldProps = {
  readonly label: ReactNode
  readonly help?: ReactNode
  readonly error?: ReactNode
  readonly isRequired?: boolean
  /** Its name in the form, for what is checked when it is left. */
  readonly field?: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** Label above, the control, help or error below: for every control that is not a plain text box. */
export function LabelledField({ label, help, error, isRequired, field, aside, children }: LabelledFieldProps): ReactNode {
  return (
    <Field.Root
      invalid={error !== undefined}
      required={isRequired ?? false}
      minW="0"
      {...(field === undefined ? {} : { 'data-field': field })}
    >
      <chakra.div display="flex" alignItems="center" gap="2" width="full" minH="6">
        <Field.Label>
          {label}
          <Field.RequiredIndicator />
        </Field.Label>
        <chakra.div ms="auto" display="flex" gap="1">
          {aside}
        </chakra.div>
      </chakra.div>
      {children}
      {error === undefined ? null : <Field.ErrorText>{error}</Field.ErrorText>}
      {help === undefined || error !== undefined ? null : <Field.HelperText>{help}</Field.HelperText>}
    </Field.Root>
  )
}

type Labels = { readonly label: string; readonly help?: string | undefined }

/** On or off, with its label at its side. */
export function SwitchField({ label, help, value, onValue }: Labels & Pick<Bound<boolean>, 'value' | 'onValue'>): ReactNode {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // A change that was not taken over, because a question was answered with no, leaves the browser's own box changed.
    if (box.current !== null) box.current.checked = value
  })
  return (
    <Field.Root>
      <Switch.Root checked={value} onCheckedChange={({ checked }) => onValue(checked)}>
        <Switch.HiddenInput ref={box} />
        <Switch.Control>
          <Switch.Thumb />
        </Switch.Control>
        <Switch.Label fontWeight="medium" color="text.strong">
          {label}
        </Switch.Label>
      </Switch.Root>
      {help === undefined ? null : <Field.HelperText>{help}</Field.HelperText>}
    </Field.Root>
  )
}

/** One of a short list. */
export function ChoiceField({
  label,
  help,
  choices,
  value,
  onValue,
  ...rest
}: Labels &
  Omit<Bound<string>, 'error' | 'field'> &
  Partial<Bound<string>> & { readonly choices: readonly Choice[]; readonly aside?: ReactNode }): ReactNode {
  return (
    <LabelledField label={label} help={help} {...rest}>
      <Select isWide label={label} value={value} choices={choices} onChange={onValue} />
    </LabelledField>
  )
}

type TagsFieldProps = Labels &
  Bound<readonly string[]> & {
    readonly options: readonly (string | PickOption)[]
    readonly isMono?: boolean
    readonly isRequired?: boolean
    readonly placeholder?: string
    readonly children?: ReactNode
  }

/** Several of a list that may be long. Children stand below it: where its values can come from. */
export function TagsField({ label, help, error, field, isRequired, children, value, onValue, ...rest }: TagsFieldProps): ReactNode {
  return (
    <LabelledField label={label} help={help} error={error} field={field} isRequired={isRequired ?? false}>
      <TagSelect label={label} value={value} onChange={onValue} {...rest} />
      {children}
    </LabelledField>
  )
}
