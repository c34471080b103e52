import { Button, Input, Textarea } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LabelledField } from './labelled-field.tsx'
import { ToneTag } from '../display/tone-tag.tsx'

type SecretFieldProps = {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  /** The server holds a value; it never sends it. */
  readonly isSet: boolean
  readonly isNew: boolean
  readonly help: string
  readonly placeholder: string
  readonly error?: string | undefined
  readonly field?: string
  /** Removes what is stored, where it can be without one. */
  readonly onClear?: () => void
  /** Several lines: one secret each, or a JSON credential. */
  readonly isLong: boolean
}

/** A secret: write-only. What is stored is never shown; an empty field keeps it. */
export function SecretField({
  label,
  value,
  onValue,
  isSet,
  isNew,
  help,
  placeholder,
  error,
  field,
  isLong,
  onClear,
}: SecretFieldProps): ReactNode {
  const { t } = useTranslation('display')
  const common = {
    value,
    placeholder: isNew ? placeholder : [isSet ? t('form.secret-keep') : '', placeholder].filter((part) => part !== '').join(' · '),
    autoComplete: 'off',
    spellCheck: false,
    fontFamily: 'mono',
    textStyle: 'xs',
  } as const
  return (
    <LabelledField
      label={label}
      {...(field === undefined ? {} : { field })}
      help={help}
      error={error}
      isRequired={isNew}
      aside={
        isNew ? null : (
          <>
            <ToneTag tone={isSet ? 'green' : 'grey'}>{t(isSet ? 'form.secret-set' : 'form.secret-unset')}</ToneTag>
            {isSet && onClear !== undefined ? (
              <Button type="button" size="xs" variant="ghost" onClick={onClear}>
                {t('action.clear')}
              </Button>
            ) : null}
          </>
        )
      }
    >
      {isLong ? (
        <Textarea rows={4} {...common} onChange={(event) => onValue(event.target.value)} />
      ) : (
        <Input {...common} onChange={(event) => onValue(event.target.value)} />
      )}
    </LabelledField>
  )
}
