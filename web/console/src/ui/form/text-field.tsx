import { Box, Button, Field, Flex, Input, Textarea, type InputProps } from '@chakra-ui/react'
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
  /** Values that one click enters. */
  readonly presets?: readonly Preset[]
  /** Several lines, in the monospaced type: one entry each. */
  readonly rows?: number
}

export type Preset = { readonly label: string; readonly value: string }

/** Label above, help or error below, unit inside. `autoFocus` holds in a drawer too, whose focus trap would choose its first field. */
export function TextField(props: TextFieldProps): ReactNode {
  const { label, value, onValue, help, error, field, unit, presets, rows, required, ...rest } = props
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
      {rows === undefined ? (
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
      ) : (
        <Textarea
          rows={rows}
          fontFamily="mono"
          textStyle="xs"
          spellCheck={false}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
      {presets === undefined ? null : <Presets presets={presets} onValue={onValue} />}
      {error === undefined ? null : <Field.ErrorText>{error}</Field.ErrorText>}
      {help === undefined || error !== undefined ? null : <Field.HelperText>{help}</Field.HelperText>}
    </Field.Root>
  )
}

/** Small buttons under a field, each entering a value. */
export function Presets({ presets, onValue }: { presets: readonly Preset[]; onValue: (value: string) => void }): ReactNode {
  return (
    <Flex wrap="wrap" gap="1">
      {presets.map(({ label, value }) => (
        <Button key={label} type="button" size="xs" variant="outline" onClick={() => onValue(value)}>
          {label}
        </Button>
      ))}
    </Flex>
  )
}
