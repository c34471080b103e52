import { chakra, Input } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MULTI_KEY_MODES } from '@tollgate/domain/channel-choice/split-keys'
import { FormSection } from '../../ui/detail-drawer.tsx'
import { LabelledField, SwitchField } from '../../ui/labelled-field.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { Select } from '../../ui/select-field.tsx'
import { TagSelect } from '../../ui/tag-select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AdvancedFields } from './advanced-fields.tsx'
import { groupNames } from './api.ts'
import { ChannelFacts } from './facts.tsx'
import { multiKeyOf, multiKeyText, withMultiKey } from './multi-key.ts'
import { useProblem, type FieldsProps } from './field-props.ts'
import { VERTEX, withType } from './form.ts'
import { ModelsField } from './models-field.tsx'
import { usePresets } from './use-presets.ts'
import { findType, offeredTypes } from './view.ts'

/** Every field of a channel, in the order in which a person thinks of them. */
export function ChannelFields(props: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  return (
    <>
      <FormSection title={t('drawer.connection')}>
        <Connection {...props} />
      </FormSection>
      <FormSection title={t('drawer.models')}>
        <ModelsField {...props} />
      </FormSection>
      <FormSection title={t('drawer.routing')}>
        <Routing {...props} />
      </FormSection>
      <FormSection title={t('drawer.advanced')}>
        <AdvancedFields {...props} />
      </FormSection>
      {props.channel === undefined ? null : (
        <FormSection title={t('drawer.facts')}>
          <ChannelFacts channel={props.channel} />
        </FormSection>
      )}
    </>
  )
}

function Connection({ form, onChange, problems, channel }: FieldsProps): ReactNode {
  const { t, i18n } = useTranslation('channels')
  const problem = useProblem(problems)
  const presets = usePresets()
  const language = i18n.language === 'en' ? 'en' : 'zh'
  const type = findType(form.type)
  const isNew = channel === undefined
  const baseUrl = type?.baseUrl ?? ''
  const mode = multiKeyOf(form.setting)
  const keyHelp = keyHelpOf({ isNew, isVertex: form.type === VERTEX, isMulti: mode !== '' })
  return (
    <>
      <LabelledField label={t('field.type')} {...(type?.isSupported === false ? { help: t('field.type-not-spoken') } : {})}>
        <Select
          isWide
          label={t('field.type')}
          value={String(form.type)}
          onChange={(value) => onChange(isNew ? withType(form, Number(value), presets) : { ...form, type: Number(value) })}
          choices={offeredTypes(form.type).map((entry) => ({ value: String(entry.type), label: entry.name[language] }))}
        />
      </LabelledField>
      <TextField
        label={t('field.name')}
        required
        error={problem('name')}
        field="name"
        autoFocus={isNew}
        value={form.name}
        onValue={(name) => onChange({ ...form, name })}
      />
      <SecretField
        label={t('field.key')}
        value={form.key}
        onChange={(key) => onChange({ ...form, key })}
        isNew={isNew}
        isSet
        isLong={isNew || form.type === VERTEX || mode !== ''}
        help={keyHelp === undefined ? '' : t(`field.${keyHelp}`)}
        placeholder={type?.keyHint?.[language] ?? t('field.key-placeholder')}
        error={problem('key')}
        field="key"
      />
      <LabelledField label={t('field.multi-key')} help={t('field.multi-key-help')}>
        <Select
          isWide
          label={t('field.multi-key')}
          value={mode}
          choices={['', ...MULTI_KEY_MODES].map((value) => ({ value, label: t(`multi-key.${multiKeyText(value)}`) }))}
          onChange={(value) => onChange({ ...form, setting: withMultiKey(form.setting, value) })}
        />
      </LabelledField>
      <TextField
        label={t('field.base-url')}
        type="url"
        help={baseUrl === '' ? t('field.base-url-required-help') : t('field.base-url-help', { url: baseUrl })}
        placeholder={baseUrl}
        value={form.base_url}
        onValue={(base_url) => onChange({ ...form, base_url })}
      />
      <TextField
        label={t('field.other')}
        {...(type?.otherHint === undefined ? {} : { help: type.otherHint[language] })}
        value={form.other}
        onValue={(other) => onChange({ ...form, other })}
      />
    </>
  )
}

/** What stands under the key: how its text is read. */
function keyHelpOf({ isNew, isVertex, isMulti }: { isNew: boolean; isVertex: boolean; isMulti: boolean }) {
  if (isMulti) return 'key-multi-help'
  if (!isNew) return undefined
  return isVertex ? 'key-vertex-help' : 'key-create-help'
}

function Routing({ form, onChange, problems }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  const problem = useProblem(problems)
  const groups = useQuery(groupNames)
  return (
    <>
      <LabelledField label={t('field.groups')} help={t('field.groups-help')} error={problem('groups')} field="groups">
        <TagSelect
          label={t('field.groups')}
          options={groups.data ?? []}
          value={form.groups}
          onChange={(next) => onChange({ ...form, groups: next })}
        />
      </LabelledField>
      <chakra.div display="grid" gridTemplateColumns="1fr 1fr" gap="4">
        <LabelledField label={t('field.priority')} help={t('field.priority-help')} error={problem('priority')} field="priority">
          <Input inputMode="numeric" value={form.priority} onChange={(event) => onChange({ ...form, priority: event.target.value })} />
        </LabelledField>
        <LabelledField label={t('field.weight')} help={t('field.weight-help')} error={problem('weight')} field="weight">
          <Input inputMode="numeric" value={form.weight} onChange={(event) => onChange({ ...form, weight: event.target.value })} />
        </LabelledField>
      </chakra.div>
      <TextField label={t('field.tag')} help={t('field.tag-help')} value={form.tag} onValue={(tag) => onChange({ ...form, tag })} />
      <LabelledField label={t('field.test-model')} help={t('field.test-model-help')}>
        <Select
          isWide
          label={t('field.test-model')}
          value={form.test_model}
          onChange={(test_model) => onChange({ ...form, test_model })}
          choices={[
            { value: '', label: t('field.test-model-first') },
            ...[...new Set([...form.models, form.test_model])].filter((name) => name !== '').map((name) => ({ value: name, label: name })),
          ]}
        />
      </LabelledField>
      <SwitchField
        label={t('field.auto-ban')}
        help={t('field.auto-ban-help')}
        isOn={form.auto_ban}
        onChange={(auto_ban) => onChange({ ...form, auto_ban })}
      />
    </>
  )
}
