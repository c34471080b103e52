import { Box, Field, Flex, Input, type InputProps } from '@chakra-ui/react'
import type { ReactNode } from 'react'

type TextFieldProps = Omit<InputProps, 'onChange' | 'value'> & {
  readonly label: ReactNode
  readonly value: string
  readonly onValue: (value: string) => void
  readonly help?: ReactNode
  readonly error?: string | undefined
  /** Its name in the form, for what is checked when it is left. */
  readonly field?: string
  /** Stands inside the box at its end: a unit, or a small button. */
  readonly unit?: ReactNode
}

/** Label above, help or error below, unit inside. `autoFocus` holds in a drawer too, whose focus trap would choose its first field. */
export function TextField({ label, value, onValue, help, error, field, unit, required, ...rest }: TextFieldProps): ReactNode {
  return (
    <Field.Root
      invalid={error !== undefined}
      {...(required === undefined ? {} : { required })}
      {...(field === undefined ? {} : { 'data-field': field })}
    >
      <Field.Label>
        {label}
        <Field.RequiredIndicator />
      </Field.Label>
      <Box position="relative" w="full">
        <Input
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
          {...(unit === undefined ? {} : { pe: '10' })}
          {...rest}
          {...(rest.autoFocus === true ? { 'data-autofocus': '' } : {})}
        />
        {unit === undefined ? null : (
          <Flex position="absolute" insetEnd="1" top="0" bottom="0" align="center" px="1" textStyle="xs" color="text.muted">
            {unit}
          </Flex>
        )}
      </Box>
      {error === undefined ? null : <Field.ErrorText>{error}</Field.ErrorText>}
      {help === undefined || error !== undefined ? null : <Field.HelperText>{help}</Field.HelperText>}
    </Field.Root>
  )
}
