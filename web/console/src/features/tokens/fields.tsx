import { useQuery } from '@tanstack/react-query'
import { TokenStatus } from '@tollgate/contracts/enums'
import type { Token } from '@tollgate/contracts/resources/tokens'
import type { Ratio } from '@tollgate/contracts/units'
import { AUTO_GROUP } from '@tollgate/domain/access/group'
import { ratioText, shownTokenGroupRatio } from '@tollgate/domain/display/ratio-text'
import { RATIO, toneOf } from '@tollgate/domain/display/thresholds'
import { timeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProjects } from '../../lib/organisations.ts'
import { ownGroups, ownModels } from '../../lib/own-account.ts'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { FormSection } from '../../ui/form/form-drawer.tsx'
import { ChoiceField, LabelledField, SwitchField, TagsField } from '../../ui/form/labelled-field.tsx'
import { LimitFields } from '../../ui/form/limit-fields.tsx'
import { QuotaField } from '../../ui/form/quota-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { TimeField } from '../../ui/form/time-box.tsx'
import type { ResourceForm } from '../../ui/form/use-resource-form.ts'
import { EXPIRY_SHORTCUTS, nowInSeconds } from '../../lib/expiry.ts'
import { COUNT_CHOICES, QUOTA_PRESETS, type TokenForm } from './form.ts'

type FieldsProps = { readonly form: ResourceForm<TokenForm>; readonly token: Token | undefined }

export function TokenFields({ form, token }: FieldsProps): ReactNode {
  const { t } = useTranslation('tokens')
  const { field, isNew } = form
  return (
    <>
      <FormSection title={t('drawer.basics')}>
        <TextField label={t('field.name')} help={t('field.name-help')} required={isNew} autoFocus {...field('name')} />
        {isNew ? (
          <TextField
            label={t('field.count')}
            help={t('field.count-help')}
            inputMode="numeric"
            presets={COUNT_CHOICES.map((count) => ({ label: String(count), value: String(count) }))}
            {...field('count')}
          />
        ) : null}
        <ProjectField form={form} />
        <GroupField form={form} />
        {form.values.group === AUTO_GROUP ? (
          <SwitchField label={t('field.cross-group')} help={t('field.cross-group-help')} {...field('crossesGroups')} />
        ) : null}
      </FormSection>
      <FormSection title={t('drawer.quota')}>
        <QuotaAndExpiry form={form} token={token} />
      </FormSection>
      <FormSection title={t('drawer.access')}>
        <AccessLimits form={form} />
      </FormSection>
      <FormSection title={t('drawer.advanced')}>
        <LimitFields
          texts={(name) => ({ label: t(`field.${name}`), help: t(`field.${name}-help`) })}
          placeholder={t('no-limit')}
          bind={field}
        />
        <Fallbacks form={form} />
        <SwitchField label={t('field.traces-content')} help={t('field.traces-content-help')} {...field('tracesContent')} />
        <SwitchField label={t('field.receipt-hashes')} help={t('field.receipt-hashes-help')} {...field('hashesBodies')} />
      </FormSection>
    </>
  )
}

/** Tokens of an organisation can belong to a project. */
function ProjectField({ form: { field, values } }: Pick<FieldsProps, 'form'>): ReactNode {
  const { t } = useTranslation('tokens')
  const projects = useProjects() ?? []
  if (projects.length === 0 && values.project === '') return null
  return (
    <ChoiceField
      label={t('field.project')}
      help={t('field.project-help')}
      choices={[{ value: '', label: t('no-project') }, ...projects.map(({ id, name }) => ({ value: String(id), label: name }))]}
      {...field('project')}
    />
  )
}

/** Ratio of the chosen group, in the colour of its height. */
function GroupRatio({ group }: { readonly group: { readonly ratio: Ratio } | undefined }): ReactNode {
  const { t } = useTranslation('tokens')
  if (group === undefined) return null
  return (
    <ToneTag tone={toneOf(RATIO, group.ratio)} hint={t('group-charged', { ratio: ratioText(group.ratio) })}>
      {ratioText(shownTokenGroupRatio(group.ratio))}
    </ToneTag>
  )
}

function GroupField({ form: { field, values } }: Pick<FieldsProps, 'form'>): ReactNode {
  const { t } = useTranslation('tokens')
  const groups = useQuery(ownGroups)
  const names = Object.entries(groups.data ?? {})
  if (groups.data !== undefined && names.length === 0)
    return <LabelledField label={t('field.group')}>{t('field.group-none')}</LabelledField>
  const isKnown = ['', AUTO_GROUP, ...names.map(([name]) => name)].includes(values.group)
  return (
    <ChoiceField
      label={t('field.group')}
      help={t('field.group-help')}
      choices={[
        { value: '', label: t('group-default') },
        ...(names.some(([name]) => name === AUTO_GROUP) ? [] : [{ value: AUTO_GROUP, label: t('group-auto') }]),
        ...(isKnown ? [] : [{ value: values.group, label: values.group }]),
        ...names.map(([name, { desc, ratio }]) => ({
          value: name,
          tone: toneOf(RATIO, ratio),
          label: `${name} · ${desc} · ${ratioText(shownTokenGroupRatio(ratio))} · ${t('group-charged-at', { ratio: ratioText(ratio) })}`,
        })),
      ]}
      aside={<GroupRatio group={groups.data?.[values.group]} />}
      {...field('group')}
    />
  )
}

const SHORTCUTS = ['hour', 'day', 'month'] as const
function QuotaAndExpiry({ form: { field, values }, token }: FieldsProps): ReactNode {
  const { t } = useTranslation('tokens')
  return (
    <>
      <SwitchField label={t('field.unlimited')} help={t('field.unlimited-help')} {...field('isUnlimited')} />
      {values.isUnlimited ? null : (
        <QuotaField
          label={t('field.quota')}
          help={t('field.quota-help')}
          presets={QUOTA_PRESETS.map(({ dollars, value }) => ({ label: t('field.quota-preset', { dollars }), value }))}
          {...field('quota')}
        />
      )}
      <TimeField
        label={t('field.expiry')}
        help={t(token?.status === TokenStatus.expired ? 'field.expiry-enable-help' : 'field.expiry-help')}
        placeholder={t('expiry.never')}
        presets={[
          { label: t('expiry.never'), value: '' },
          ...SHORTCUTS.map((name) => ({ label: t(`expiry.${name}`), value: timeText(nowInSeconds() + EXPIRY_SHORTCUTS[name]) })),
        ]}
        {...field('expiry')}
      />
    </>
  )
}

/** The models that answer in place of one that no channel can serve. */
function Fallbacks({ form: { field, values } }: Pick<FieldsProps, 'form'>): ReactNode {
  const { t } = useTranslation('tokens')
  const models = useQuery(ownModels)
  return (
    <>
      <SwitchField label={t('field.own-fallbacks')} help={t('field.own-fallbacks-help')} {...field('hasFallbacks')} />
      {values.hasFallbacks ? (
        <TagsField
          isMono
          label={t('field.fallbacks')}
          help={t('field.fallbacks-help')}
          options={models.data ?? []}
          {...field('fallbacks')}
        />
      ) : null}
    </>
  )
}

function AccessLimits({ form: { field, values } }: Pick<FieldsProps, 'form'>): ReactNode {
  const { t } = useTranslation('tokens')
  const models = useQuery(ownModels)
  return (
    <>
      <SwitchField label={t('field.limits')} {...field('isLimited')} />
      {values.isLimited ? (
        <TagsField isMono label={t('field.models')} help={t('field.models-help')} options={models.data ?? []} {...field('models')} />
      ) : null}
      <TextField rows={3} label={t('field.ips')} help={t('field.ips-help')} {...field('ips')} />
    </>
  )
}
