import { CLIENT_DISCONNECT_POLICIES, DRAIN_SECONDS } from '@tollgate/contracts/relay/client-disconnected'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { isJsonObjectOrEmpty } from '../../../ui/form/json-text.ts'
import { ChoiceField, SwitchField } from '../../../ui/form/labelled-field.tsx'
import { LimitFields } from '../../../ui/form/limit-fields.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { costRatioOf, modelRatiosOf, withCostRatio, withModelRatios } from './cost-ratio.ts'
import { clientDisconnectOf, hasWrongDrainSeconds, withDrainSeconds, withPolicy } from './client-disconnected.ts'
import type { FieldsProps } from './field-props.ts'
import { limitOf, withLimit } from './limits.ts'
import { regionOf, withRegion } from './region.ts'
import { scheduleFieldOf, withScheduleField, type ScheduleField } from './schedule.ts'
import { hasOption, pricedOptions, withOption } from '../models/priced-options.ts'
import { choiceOf, SETTING_CHOICES, withChoice, type SettingChoice } from './setting-choices.ts'
import { findType } from '../channel-display.ts'

const OverrideField = lazy(async () => ({ default: (await import('../override/override-field.tsx')).OverrideField }))

const FIELDS = ['status_code_mapping', 'param_override', 'setting', 'openai_organization', 'max_input_tokens'] as const

/** True if one of these fields shows a problem, which must be seen. */
export const hasAdvancedProblem = ({ field }: FieldsProps['form']): boolean => FIELDS.some((name) => field(name).error !== undefined)

/** Fields that most channels leave as they are. */
export function AdvancedFields({ form, channel }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  const { field, values } = form
  return (
    <>
      <JsonField
        label={t('field.status-mapping')}
        help={t('field.status-mapping-help')}
        placeholder={'{\n  "400": "500"\n}'}
        pairs={{ key: '400', value: '500' }}
        {...field('status_code_mapping')}
      />
      <Suspense>
        <OverrideField form={form} />
      </Suspense>
      <JsonField
        label={t('field.setting')}
        help={t('field.setting-help')}
        placeholder={'{\n  "proxy": "socks5://127.0.0.1:1080"\n}'}
        {...field('setting')}
      />
      {isJsonObjectOrEmpty(values.setting) ? <CostField form={form} channel={channel} /> : null}
      {isJsonObjectOrEmpty(values.setting) ? <ModelCostsField form={form} channel={channel} /> : null}
      {isJsonObjectOrEmpty(values.setting) ? <RegionField form={form} channel={channel} /> : null}
      {isJsonObjectOrEmpty(values.setting) ? <ScheduleFields form={form} channel={channel} /> : null}
      {isJsonObjectOrEmpty(values.setting) ? <ChannelLimits form={form} channel={channel} /> : null}
      {isJsonObjectOrEmpty(values.setting) ? <ConversionFields form={form} channel={channel} /> : null}
      {isJsonObjectOrEmpty(values.setting) ? <ClientDisconnectFields form={form} channel={channel} /> : null}
      {isJsonObjectOrEmpty(values.setting) ? <PricedOptionFields form={form} channel={channel} /> : null}
      <TextField label={t('field.openai-organization')} help={t('field.openai-organization-help')} {...field('openai_organization')} />
      <TextField
        label={t('field.max-input-tokens')}
        help={t('field.max-input-tokens-help')}
        inputMode="numeric"
        {...field('max_input_tokens')}
      />
    </>
  )
}

/** How requests are written for the channel's service. */
function ConversionFields({ form: { values, set } }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  const choicesOf = (name: SettingChoice) => ({
    value: choiceOf(values.setting, name),
    onValue: (value: string) => set({ setting: withChoice(values.setting, name, value) }),
  })
  return (
    <>
      <ChoiceField
        label={t('field.system-messages')}
        help={t('field.system-messages-help')}
        {...choicesOf('system_messages')}
        choices={SETTING_CHOICES.system_messages.map((value) => ({ value, label: t(`system-messages.${value}`) }))}
      />
      {findType(values.type)?.choosesApi === true ? (
        <ChoiceField
          label={t('field.preferred-api')}
          help={t('field.preferred-api-help')}
          {...choicesOf('preferred_api')}
          choices={SETTING_CHOICES.preferred_api.map((value) => ({ value, label: t(`preferred-api.${value}`) }))}
        />
      ) : null}
    </>
  )
}

/** Fields for a call whose client leaves: what is done with it, and for how long it may be read on. */
function ClientDisconnectFields({ form: { values, set } }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  const { policy, drain_seconds } = clientDisconnectOf(values.setting)
  return (
    <>
      <ChoiceField
        label={t('field.client-disconnected')}
        help={t(`client-disconnected-help.${policy}`)}
        value={policy}
        onValue={(value) => set({ setting: withPolicy(values.setting, value) })}
        choices={CLIENT_DISCONNECT_POLICIES.map((value) => ({ value, label: t(`client-disconnected.${value}`) }))}
      />
      {policy === 'cancel' ? null : (
        <TextField
          label={t('field.drain-seconds')}
          help={t('field.drain-seconds-help')}
          error={hasWrongDrainSeconds(values.setting) ? t('error.drain-seconds') : undefined}
          inputMode="numeric"
          placeholder={String(DRAIN_SECONDS.default)}
          value={drain_seconds}
          onValue={(text) => set({ setting: withDrainSeconds(values.setting, text) })}
        />
      )}
    </>
  )
}

/** Options of requests that this channel's vendor charges by another price. */
function PricedOptionFields({ form: { values, set } }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  return pricedOptions.map((option) => (
    <SwitchField
      key={option}
      label={t(`priced-option.${option}`)}
      help={t(`priced-option-help.${option}`)}
      value={hasOption(values.setting, option)}
      onValue={(isAllowed) => set({ setting: withOption(values.setting, option, isAllowed) })}
    />
  ))
}

/** The upstream's charge relative to the price at group ratio 1, for the margin in the list. */
function CostField({ form: { values, set } }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  return (
    <TextField
      label={t('field.cost-ratio')}
      help={t('field.cost-ratio-help')}
      inputMode="decimal"
      placeholder="0.8"
      value={costRatioOf(values.setting)}
      onValue={(text) => set({ setting: withCostRatio(values.setting, text) })}
    />
  )
}

/** Cost ratios of single models, which come before that of the channel. A text that cannot be read yet is kept here. */
function ModelCostsField({ form: { values, set } }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const onValue = (text: string): void => {
    setDraft(text)
    const setting = withModelRatios(values.setting, text)
    if (setting !== undefined) set({ setting })
  }
  const isUnreadable = draft !== undefined && withModelRatios(values.setting, draft) === undefined
  return (
    <TextField
      label={t('field.model-costs')}
      help={t('field.model-costs-help')}
      placeholder="gpt-4o=0.5, o3=0.9"
      value={draft ?? modelRatiosOf(values.setting)}
      onValue={onValue}
      {...(isUnreadable ? { error: t('field.model-costs-error') } : {})}
    />
  )
}

/** Where the vendor's servers are; relays of the same region prefer the channel. */
function RegionField({ form: { values, set } }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  return (
    <TextField
      label={t('field.region')}
      help={t('field.region-help')}
      placeholder="eu-west"
      value={regionOf(values.setting)}
      onValue={(text) => set({ setting: withRegion(values.setting, text) })}
    />
  )
}

/** When the channel serves. */
function ScheduleFields({ form: { values, set } }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  const bind = (name: ScheduleField) => ({
    value: scheduleFieldOf(values.setting, name),
    onValue: (text: string) => set({ setting: withScheduleField(values.setting, name, text) }),
  })
  return (
    <>
      <TextField label={t('field.schedule-hours')} help={t('field.schedule-hours-help')} placeholder="09:00-18:00" {...bind('hours')} />
      {scheduleFieldOf(values.setting, 'hours') === '' ? null : (
        <TextField
          label={t('field.schedule-zone')}
          help={t('field.schedule-zone-help')}
          placeholder="Asia/Shanghai"
          {...bind('time_zone')}
        />
      )}
    </>
  )
}

/** Limits that all requests to this channel share; a full channel is passed over. */
function ChannelLimits({ form: { values, set } }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  return (
    <LimitFields
      texts={(name) => ({ label: t(`limit.${name}`), help: t(`limit-help.${name}`) })}
      placeholder={t('no-limit')}
      bind={(name) => ({
        value: limitOf(values.setting, name),
        onValue: (text) => set({ setting: withLimit(values.setting, name, text) }),
      })}
    />
  )
}
