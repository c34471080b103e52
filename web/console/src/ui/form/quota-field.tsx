import { Field, Flex, Input, Text } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuotaStyle } from '../display/quota-text.tsx'
import { LabelledField } from './labelled-field.tsx'
import { dollarsText, quotaDigits } from './money.ts'
import { Presets, type Preset } from './text-field.tsx'
import type { Bound } from './use-resource-form.ts'

type QuotaFieldProps = Bound<string> & { readonly label: string; readonly help?: string; readonly presets?: readonly Preset[] }

/** An amount, typed in dollars or in quota: each follows the other. The value is the quota. */
export function QuotaField({ label, help, presets, value, onValue, error, field }: QuotaFieldProps): ReactNode {
  const { t } = useTranslation('display')
  const { quota_per_unit } = useQuotaStyle()
  // Half-typed dollars ("1.") have no quota that says the same.
  const [draft, setDraft] = useState({ dollars: '', quota: '' })
  const dollars = draft.dollars !== '' && draft.quota === value ? draft.dollars : dollarsText(value, quota_per_unit)
  const typeDollars = (text: string): void => {
    const quota = quotaDigits(text, quota_per_unit)
    setDraft({ dollars: text, quota })
    onValue(quota)
  }
  return (
    <LabelledField label={label} help={help} error={error} field={field}>
      <Flex gap="2" w="full" align="center">
        <Field.Root w="9rem" flexShrink="0">
          <Flex position="relative" w="full" align="center">
            <Text position="absolute" insetStart="2.5" color="text.muted" zIndex="1" aria-hidden>
              $
            </Text>
            <Input
              ps="6"
              inputMode="decimal"
              autoComplete="off"
              aria-label={t('money.dollars', { label })}
              value={dollars}
              onChange={(event) => typeDollars(event.currentTarget.value)}
            />
          </Flex>
        </Field.Root>
        <Text color="text.muted" aria-hidden>
          =
        </Text>
        <Flex position="relative" flex="1" align="center">
          <Input inputMode="numeric" pe="12" value={value} onChange={(event) => onValue(event.currentTarget.value)} />
          <Text position="absolute" insetEnd="2.5" textStyle="xs" color="text.muted" aria-hidden>
            {t('money.quota')}
          </Text>
        </Flex>
      </Flex>
      {presets === undefined ? null : <Presets presets={presets} onValue={onValue} />}
    </LabelledField>
  )
}
