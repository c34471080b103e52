import { AUTO_GROUP } from '@tollgate/domain/access/group'
import { Button, chakra, Input, Textarea } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { TokenStatus } from '@tollgate/contracts/enums'
import { quotaText } from '@tollgate/domain/display/quota-text'
import { ratioText, shownTokenGroupRatio } from '@tollgate/domain/display/ratio-text'
import { timeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../ui/detail-drawer.tsx'
import { LabelledField, SwitchField } from '../../ui/labelled-field.tsx'
import { useQuotaStyle } from '../../ui/quota-text.tsx'
import { Select } from '../../ui/select-field.tsx'
import { TagSelect } from '../../ui/tag-select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ownGroups, ownModels } from './api.ts'
import { COUNT_CHOICES, EXPIRY_SHORTCUTS, LIMIT_FIELDS, QUOTA_PRESETS, type TokenForm, type TokenProblem } from './form.ts'

type FieldsProps = {
  readonly form: TokenForm
  readonly onChange: (form: TokenForm) => void
  readonly problems: readonly TokenProblem[]
  readonly isNew: boolean
  readonly token: Token | undefined
}

export function TokenFields(props: FieldsProps): ReactNode {
  const { t } = useTranslation('tokens')
  return (
    <>
      <FormSection title={t('drawer.basics')}>
        <Basics {...props} />
      </FormSection>
      <FormSection title={t('drawer.quota')}>
        <QuotaAndExpiry {...props} />
      </FormSection>
      <FormSection title={t('drawer.access')}>
        <AccessLimits {...props} />
      </FormSection>
      <FormSection title={t('drawer.advanced')}>
        <RateLimits {...props} />
      </FormSection>
    </>
  )
}

function useErrors(problems: readonly TokenProblem[]): (field: TokenProblem['field']) => string | undefined {
  const { t } = useTranslation('tokens')
  return (field) => {
    const problem = problems.find((one) => one.field === field)
    return problem === undefined ? undefined : t(`error.${problem.text}`, { line: problem.line })
  }
}

function Basics({ form, onChange, problems, isNew }: FieldsProps): ReactNode {
  const { t } = useTranslation('tokens')
  const error = useErrors(problems)
  return (
    <>
      <TextField
        label={t('field.name')}
        help={t('field.name-help')}
        error={error('name')}
        field="name"
        required={isNew}
        autoFocus={isNew}
        value={form.name}
        onValue={(name) => onChange({ ...form, name })}
      />
      {isNew ? (
        <LabelledField label={t('field.count')} help={t('field.count-help')} error={error('count')} field="count">
          <Input inputMode="numeric" value={form.count} onChange={(event) => onChange({ ...form, count: event.target.value })} />
          <Shortcuts
            choices={COUNT_CHOICES.map((count) => ({ label: String(count), run: () => onChange({ ...form, count: String(count) }) }))}
          />
        </LabelledField>
      ) : null}
      <GroupField form={form} onChange={onChange} />
    </>
  )
}

function GroupField({ form, onChange }: Pick<FieldsProps, 'form' | 'onChange'>): ReactNode {
  const { t } = useTranslation('tokens')
  const groups = useQuery(ownGroups)
  const names = Object.entries(groups.data ?? {})
  if (groups.data !== undefined && names.length === 0)
    return <LabelledField label={t('field.group')}>{t('field.group-none')}</LabelledField>
  const known = names.some(([name]) => name === form.group) || form.group === '' || form.group === AUTO_GROUP
  return (
    <LabelledField label={t('field.group')} help={t('field.group-help')}>
      <Select
        isWide
        label={t('field.group')}
        value={form.group}
        onChange={(group) => onChange({ ...form, group })}
        choices={[
          { value: '', label: t('group-default') },
          ...(names.some(([name]) => name === AUTO_GROUP) ? [] : [{ value: AUTO_GROUP, label: t('group-auto') }]),
          ...(known ? [] : [{ value: form.group, label: form.group }]),
          ...names.map(([name, { desc, ratio }]) => ({
            value: name,
            label: `${name} · ${desc} · ${ratioText(shownTokenGroupRatio(ratio))}`,
          })),
        ]}
      />
    </LabelledField>
  )
}

function QuotaAndExpiry({ form, onChange, problems, token }: FieldsProps): ReactNode {
  const { t } = useTranslation('tokens')
  const error = useErrors(problems)
  const style = useQuotaStyle()
  const quota = Number(form.quota)
  const amount = quotaText(Number.isSafeInteger(quota) ? quota : 0, 'total', { ...style, display_in_currency: true })
  const needsEnabling = token?.status === TokenStatus.expired
  return (
    <>
      <SwitchField
        label={t('field.unlimited')}
        help={t('field.unlimited-help')}
        isOn={form.isUnlimited}
        onChange={(isUnlimited) => onChange({ ...form, isUnlimited })}
      />
      {form.isUnlimited ? null : (
        <LabelledField label={t('field.quota')} help={t('field.quota-help', { amount })} error={error('quota')} field="quota">
          <Input inputMode="numeric" value={form.quota} onChange={(event) => onChange({ ...form, quota: event.target.value })} />
          <Shortcuts
            choices={QUOTA_PRESETS.map((preset) => ({
              label: preset.label,
              run: () => onChange({ ...form, quota: String(preset.quota) }),
            }))}
          />
        </LabelledField>
      )}
      <LabelledField
        label={t('field.expiry')}
        help={t(needsEnabling ? 'field.expiry-enable-help' : 'field.expiry-help')}
        error={error('expiry')}
        field="expiry"
      >
        <Input
          placeholder={t('expiry.never')}
          value={form.expiry}
          onChange={(event) => onChange({ ...form, expiry: event.target.value })}
        />
        <Shortcuts
          choices={[
            { label: t('expiry.never'), run: () => onChange({ ...form, expiry: '' }) },
            ...SHORTCUTS.map((name) => ({
              label: t(`expiry.${name}`),
              run: () => onChange({ ...form, expiry: timeText(nowInSeconds() + EXPIRY_SHORTCUTS[name]) }),
            })),
          ]}
        />
      </LabelledField>
    </>
  )
}

const SHORTCUTS = ['hour', 'day', 'month'] as const

const nowInSeconds = (): number => Math.floor(new Date().getTime() / 1_000)

function AccessLimits({ form, onChange, problems }: FieldsProps): ReactNode {
  const { t } = useTranslation('tokens')
  const error = useErrors(problems)
  const models = useQuery(ownModels)
  return (
    <>
      <SwitchField label={t('field.limits')} isOn={form.isLimited} onChange={(isLimited) => onChange({ ...form, isLimited })} />
      {form.isLimited ? (
        <LabelledField label={t('field.models')} help={t('field.models-help')} error={error('models')} field="models">
          <TagSelect
            isMono
            label={t('field.models')}
            options={models.data ?? []}
            value={form.models}
            onChange={(next) => onChange({ ...form, models: next })}
          />
        </LabelledField>
      ) : null}
      <LabelledField label={t('field.ips')} help={t('field.ips-help')} error={error('ips')} field="ips">
        <Textarea
          rows={3}
          fontFamily="mono"
          textStyle="xs"
          spellCheck={false}
          value={form.ips}
          onChange={(event) => onChange({ ...form, ips: event.target.value })}
        />
      </LabelledField>
    </>
  )
}

function RateLimits({ form, onChange, problems }: FieldsProps): ReactNode {
  const { t } = useTranslation('tokens')
  const error = useErrors(problems)
  return LIMIT_FIELDS.map((field) => (
    <LabelledField key={field} label={t(`field.${field}`)} help={t(`field.${field}-help`)} error={error(field)} field={field}>
      <Input
        inputMode="numeric"
        placeholder={t('no-limit')}
        value={form[field]}
        onChange={(event) => onChange({ ...form, [field]: event.target.value })}
      />
    </LabelledField>
  ))
}

function Shortcuts({ choices }: { choices: readonly { readonly label: string; readonly run: () => void }[] }): ReactNode {
  return (
    <chakra.div display="flex" flexWrap="wrap" gap="1">
      {choices.map((choice) => (
        <Button key={choice.label} type="button" size="xs" variant="outline" onClick={choice.run}>
          {choice.label}
        </Button>
      ))}
    </chakra.div>
  )
}
