import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DurationField } from '../form/duration-field.tsx'
import { JsonField } from '../form/json-field.tsx'
import { readPairs } from '../form/json-text.ts'
import { ChoiceField, SwitchField } from '../form/labelled-field.tsx'
import { ListField } from '../form/list-field.tsx'
import { QuotaField } from '../form/quota-field.tsx'
import { SecretField } from '../form/secret-field.tsx'
import { TextField } from '../form/text-field.tsx'
import type { Bound } from '../form/use-resource-form.ts'
import { useConfirm } from '../overlay/use-confirm.tsx'
import { MarkupField } from './markup-field.tsx'
import { PictureField } from './picture-field.tsx'
import { markOf, type Setting, type SettingValue } from './setting.ts'

type ControlProps = { readonly setting: Setting; readonly bound: Bound<SettingValue> }

/** More entries than these are edited as text. */
const MAX_ROWS = 40

/** The input that fits the kind of a setting. */
export function SettingControl({ setting, bound }: ControlProps): ReactNode {
  const { t } = useTranslation('display')
  const { kind, unit, label, help, choices, markup, entries } = setting
  const text = { ...bound, value: bound.value ?? '', label, help }
  if (setting.isSecret) return <Secret setting={setting} bound={bound} />
  if (kind === 'flag') return <Flag setting={setting} bound={bound} />
  if (kind === 'choice') return <ChoiceField {...text} choices={choices} />
  if (kind === 'json') return <Json setting={setting} bound={bound} />
  if (markup !== undefined) return <MarkupField {...text} markup={markup} />
  if (setting.isPicture === true) return <PictureField {...text} />
  if (kind === 'csv')
    return (
      <ListField
        {...text}
        problemOf={entries?.problemOf ?? (() => undefined)}
        repeated={entries?.repeated ?? t('setting.repeated')}
        ignoresCase={entries?.ignoresCase === true}
      />
    )
  if (kind === 'lines') return <TextField {...text} rows={6} />
  if (unit === 'seconds' || unit === 'minutes' || unit === 'days') return <DurationField {...text} unit={unit} />
  if (unit === 'quota' && kind === 'int') return <QuotaField {...text} />
  if (kind === 'int' || kind === 'number') return <TextField {...text} inputMode="decimal" maxW="12rem" />
  return <TextField {...text} {...(kind === 'url' ? { inputMode: 'url', placeholder: 'https://' } : {})} />
}

function Secret({ setting, bound }: ControlProps): ReactNode {
  const { t } = useTranslation('display')
  return (
    <SecretField
      {...bound}
      value={bound.value ?? ''}
      label={setting.label}
      help={setting.help}
      isNew={false}
      isSet={setting.isSet && bound.value !== null}
      isLong={false}
      placeholder={bound.value === null ? t('setting.removed') : ''}
      onClear={() => bound.onValue(null)}
    />
  )
}

function Flag({ setting: { label, help, askBeforeOff }, bound }: ControlProps): ReactNode {
  const confirm = useConfirm()
  const change = (isOn: boolean): void => {
    if (isOn || askBeforeOff === undefined) bound.onValue(String(isOn))
    else confirm.ask({ ...askBeforeOff, run: () => bound.onValue('false') })
  }
  return (
    <>
      <SwitchField label={label} help={bound.error ?? help} value={bound.value === 'true'} onValue={change} />
      {confirm.dialog}
    </>
  )
}

function Json({ setting, bound }: ControlProps): ReactNode {
  const { t } = useTranslation('display')
  const rows = setting.defaultValue.startsWith('{') ? readPairs(setting.value) : undefined
  const isFlat = rows !== undefined && readPairs(setting.defaultValue) !== undefined && rows.length <= MAX_ROWS
  // An empty default tells nothing about the values; a map of maps must not start as rows of texts.
  const isRows = isFlat && setting.problemOf('{"":""}') === undefined
  const isNumbers = isFlat && setting.problemOf('{"":1}') === undefined
  return (
    <JsonField
      {...bound}
      value={bound.value ?? ''}
      label={setting.label}
      help={setting.help}
      pairs={isRows || isNumbers ? { key: t('setting.name'), value: t('setting.value'), isNumeric: !isRows } : undefined}
      shapeProblem={(text) => markOf(setting, text)}
    />
  )
}
