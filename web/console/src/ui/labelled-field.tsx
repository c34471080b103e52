import { chakra, Field, Switch } from '@chakra-ui/react'
import type { ReactNode } from 'react'

type LabelledFieldProps = {
  label: ReactNode
  help?: ReactNode
  error?: string | undefined
  isRequired?: boolean
  /** Its name in the form, for what is checked when it is left. */
  field?: string
  aside?: ReactNode
  children: ReactNode
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

/** On or off, with its label at its side. */
export function SwitchField({
  label,
  help,
  isOn,
  onChange,
}: {
  label: string
  help?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}): ReactNode {
  return (
    <Field.Root>
      <Switch.Root checked={isOn} onCheckedChange={({ checked }) => onChange(checked)}>
        <Switch.HiddenInput />
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
