import { SimpleGrid } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { MULTI_KEY_MODES } from '@tollgate/domain/channel-choice/split-keys'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { groupNames } from '../../../lib/group-names.ts'
import { FoldSection } from '../../../ui/form/fold-section.tsx'
import { FormSection } from '../../../ui/form/form-drawer.tsx'
import { ChoiceField, SwitchField, TagsField } from '../../../ui/form/labelled-field.tsx'
import { PickField } from '../../../ui/form/pick-field.tsx'
import { SecretField } from '../../../ui/form/secret-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { AdvancedFields, hasAdvancedProblem } from './advanced-fields.tsx'
import { ManagedNote } from '../../../ui/display/managed-note.tsx'
import { ChannelFacts } from '../list/facts.tsx'
import type { Channel } from '@tollgate/contracts/resources/channels'
import type { FieldsProps } from './field-props.ts'
import { VERTEX, withType } from './form.ts'
import { ModelsField } from '../models/models-field.tsx'
import { multiKeyOf, multiKeyText, withMultiKey } from './multi-key.ts'
import { typeOptions } from './type-options.ts'
import { usePresets } from './use-presets.ts'
import { findType, offeredTypes } from '../channel-display.ts'
import { WeightSharesNote } from '../list/weight-shares.tsx'

const KeysSection = lazy(async () => ({ default: (await import('../keys/keys-section.tsx')).KeysSection }))

/** Every field of a channel, in the order in which a person thinks of them. */
export function ChannelFields(
  props: FieldsProps & { /** As it is stored now, which a test changes while the drawer is open. */ readonly now: Channel | undefined },
): ReactNode {
  const { t } = useTranslation('channels')
  return (
    <>
      {props.channel === undefined ? null : <ManagedNote kind="channel" names={[props.channel.name]} />}
      {props.channel === undefined ? null : (
        <FormSection title={t('drawer.facts')}>
          <ChannelFacts channel={props.now ?? props.channel} />
        </FormSection>
      )}
      {props.channel === undefined ? null : (
        <FormSection title={t('drawer.keys')}>
          <Suspense fallback={null}>
            <KeysSection channel_id={props.channel.id} />
          </Suspense>
        </FormSection>
      )}
      <FormSection title={t('drawer.connection')}>
        <Connection {...props} />
      </FormSection>
      <FormSection title={t('drawer.models')}>
        <ModelsField {...props} />
      </FormSection>
      <FormSection title={t('drawer.routing')}>
        <Routing {...props} />
      </FormSection>
      <FoldSection title={t('drawer.advanced')} help={t('drawer.advanced-help')} isNeeded={hasAdvancedProblem(props.form)}>
        <AdvancedFields {...props} />
      </FoldSection>
    </>
  )
}

function Connection({ form }: FieldsProps): ReactNode {
  const { t, i18n } = useTranslation('channels')
  const { field, values, isNew } = form
  const presets = usePresets()
  const language = i18n.language === 'en' ? 'en' : 'zh'
  const type = findType(values.type)
  const baseUrl = type?.baseUrl ?? ''
  const mode = multiKeyOf(values.setting)
  const isVertex = values.type === VERTEX
  const keyHelp = keyHelpOf({ isNew, isVertex, isMulti: mode !== '' })
  return (
    <>
      <PickField
        isRequired
        label={t('field.type')}
        help={type?.retired?.[language] ?? type?.notice?.[language] ?? t(`field.${typeHelpOf(type)}`)}
        options={typeOptions(offeredTypes(values.type), {
          language,
          section: (name) => t(`type-section.${name}`),
          unserved: t('field.type-unserved'),
        })}
        field="type"
        error={undefined}
        value={String(values.type)}
        onValue={(value) => form.set(isNew ? withType(values, Number(value), presets) : { type: Number(value) })}
      />
      <TextField label={t('field.name')} help={t('field.name-help')} required autoFocus {...field('name')} />
      <SecretField
        label={t('field.key')}
        help={t(`field.${keyHelp}`)}
        placeholder={type?.keyHint?.[language] ?? t('field.key-placeholder')}
        isNew={isNew}
        isSet
        isLong={isNew || isVertex || mode !== ''}
        {...field('key')}
      />
      <ChoiceField
        label={t('field.multi-key')}
        help={t('field.multi-key-help')}
        value={mode}
        onValue={(value) => form.set({ setting: withMultiKey(values.setting, value) })}
        choices={['', ...MULTI_KEY_MODES].map((value) => ({ value, label: t(`multi-key.${multiKeyText(value)}`) }))}
      />
      <TextField
        label={t('field.base-url')}
        help={baseUrl === '' ? t('field.base-url-required-help') : t('field.base-url-help', { url: baseUrl })}
        type="url"
        placeholder={baseUrl}
        {...field('base_url')}
      />
      <TextField label={t('field.other')} help={type?.otherHint?.[language] ?? t('field.other-help')} {...field('other')} />
    </>
  )
}

/** Help below the type: whether and how well it is served. */
function typeHelpOf(type: ReturnType<typeof findType>) {
  if (type?.isSupported === false) return 'type-not-spoken'
  return type?.isVerified === false ? 'type-unverified' : 'type-help'
}

/** Help below the key: how its text is read. */
function keyHelpOf({ isNew, isVertex, isMulti }: { isNew: boolean; isVertex: boolean; isMulti: boolean }) {
  if (isMulti) return 'key-multi-help'
  if (!isNew) return 'key-edit-help'
  return isVertex ? 'key-vertex-help' : 'key-create-help'
}

function Routing({ form: { field, values }, channel }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  const groups = useQuery(groupNames)
  const models = [...new Set([...values.models, values.test_model])].filter((name) => name !== '')
  return (
    <>
      <TagsField label={t('field.groups')} help={t('field.groups-help')} options={groups.data ?? []} {...field('groups')} />
      <SimpleGrid columns={2} gap="4">
        <TextField label={t('field.priority')} help={t('field.priority-help')} inputMode="numeric" {...field('priority')} />
        <TextField label={t('field.weight')} help={t('field.weight-help')} inputMode="numeric" {...field('weight')} />
      </SimpleGrid>
      <WeightSharesNote id={channel?.id ?? 0} values={values} />
      <TextField label={t('field.tag')} help={t('field.tag-help')} {...field('tag')} />
      <ChoiceField
        label={t('field.test-model')}
        help={t('field.test-model-help')}
        choices={[{ value: '', label: t('field.test-model-first') }, ...models.map((name) => ({ value: name, label: name }))]}
        {...field('test_model')}
      />
      <SwitchField label={t('field.auto-ban')} help={t('field.auto-ban-help')} {...field('auto_ban')} />
    </>
  )
}
