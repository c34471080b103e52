import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonField } from '../form/json-field.tsx'
import { ChoiceField, SwitchField } from '../form/labelled-field.tsx'
import { SecretField } from '../form/secret-field.tsx'
import { TextField } from '../form/text-field.tsx'
import type { Bound } from '../form/use-resource-form.ts'
import type { Setting, SettingValue } from './setting.ts'

type ControlProps = { readonly setting: Setting; readonly bound: Bound<SettingValue> }

/** The input that fits the kind of a setting. */
export function SettingControl({ setting, bound }: ControlProps): ReactNode {
  const { t } = useTranslation('display')
  const { kind, label, help, choices } = setting
  const text = { ...bound, value: bound.value ?? '', label, help }
  if (setting.isSecret)
    return (
      <SecretField
        {...text}
        isNew={false}
        isSet={setting.isSet && bound.value !== null}
        isLong={false}
        placeholder={bound.value === null ? t('setting.removed') : ''}
        onClear={() => bound.onValue(null)}
      />
    )
  if (kind === 'flag')
    return <SwitchField label={label} help={help} value={text.value === 'true'} onValue={(isOn) => bound.onValue(String(isOn))} />
  if (kind === 'choice') return <ChoiceField {...text} choices={choices.map((value) => ({ value, label: value }))} />
  if (kind === 'json') return <JsonField {...text} pairs={{ key: t('setting.name'), value: t('setting.value') }} />
  if (kind === 'lines') return <TextField {...text} rows={5} />
  return <TextField {...text} {...(kind === 'int' || kind === 'number' ? { inputMode: 'decimal', maxW: '12rem' } : {})} />
}
