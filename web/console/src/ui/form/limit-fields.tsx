import type { ComponentProps, ReactNode } from 'react'
import { LIMIT_FIELDS, type LimitField } from './limits.ts'
import { TextField } from './text-field.tsx'

type TextFieldProps = ComponentProps<typeof TextField>
type LimitFieldsProps = {
  readonly texts: (name: LimitField) => Pick<TextFieldProps, 'label' | 'help'>
  readonly placeholder: string
  readonly bind: (name: LimitField) => Pick<TextFieldProps, 'value' | 'onValue' | 'error' | 'field'>
}

/** The limits of a token, user or channel; an empty field sets none. */
export function LimitFields({ texts, placeholder, bind }: LimitFieldsProps): ReactNode {
  return LIMIT_FIELDS.map((name) => <TextField key={name} inputMode="numeric" placeholder={placeholder} {...texts(name)} {...bind(name)} />)
}
