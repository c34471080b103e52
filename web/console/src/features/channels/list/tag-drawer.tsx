import { SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { groupNames } from '../../../lib/group-names.ts'
import { toast } from '../../../lib/toast.ts'
import { FormDrawer, FormSection } from '../../../ui/form/form-drawer.tsx'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { TagsField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useEditConflict } from '../../../ui/form/use-edit-conflict.tsx'
import { useResourceForm, type ResourceForm } from '../../../ui/form/use-resource-form.ts'
import { LoadingDrawer } from '../../../ui/overlay/detail-drawer.tsx'
import { allModels, channelSearch, useSaveTag } from '../api.ts'
import { commonOf, tagProblemsOf, toTagChange, toTagForm, type TagForm, type TagProblem } from './tag-form.ts'

const ANY = { keyword: '', group: '', model: '', state: '' }

type DrawerProps = { readonly tag: string; readonly onClose: () => void }

/** Edits all channels of a tag. */
export function TagDrawer({ tag, onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('channels')
  const query = useQuery(channelSearch(ANY, { id_sort: false, tag_mode: true }))
  return (
    <LoadingDrawer title={t('tag-drawer.title', { tag })} query={query} onClose={onClose}>
      {(channels) => <LoadedTagDrawer tag={tag} channels={channels.filter((one) => one.tag === tag)} onClose={onClose} />}
    </LoadingDrawer>
  )
}

function LoadedTagDrawer({ tag, channels, onClose }: DrawerProps & { readonly channels: readonly Channel[] }): ReactNode {
  const { t } = useTranslation('channels')
  const [seen] = useState(() => commonOf(channels))
  const [before] = useState(() => toTagForm(tag, seen))
  const update = useSaveTag()
  const { saving, dialog } = useEditConflict()
  const form = useResourceForm({
    initial: before,
    isNew: false,
    unchanged: t('tag-drawer.unchanged'),
    problemsOf: (values) => tagProblemsOf(values).map((problem) => ({ field: FIELDS[problem], message: t(TEXTS[problem]) })),
    askBefore: (values) =>
      values.new_tag.trim() === ''
        ? { title: t('tag-drawer.dissolve-title', { tag }), help: t('tag-drawer.dissolve-help'), confirm: t('tag-drawer.dissolve') }
        : undefined,
    save: async (values) => {
      const change = toTagChange(tag, before, values)
      if (change !== undefined) await saving(change, seen, (body) => update.mutateAsync(body))
    },
    onSaved: () => {
      toast.success(t('done'))
      onClose()
    },
  })
  return (
    <FormDrawer title={t('tag-drawer.title', { tag })} form={form} onClose={onClose}>
      <Text color="text.muted">{t('tag-drawer.help')}</Text>
      <TagFields form={form} />
      {dialog}
    </FormDrawer>
  )
}

const FIELDS = { mapping: 'model_mapping', priority: 'priority', weight: 'weight' } as const satisfies Record<TagProblem, keyof TagForm>
const TEXTS = {
  mapping: 'error.mapping',
  priority: 'tag-drawer.priority-error',
  weight: 'tag-drawer.weight-error',
} as const satisfies Record<TagProblem, string>

function TagFields({ form: { field, values } }: { readonly form: ResourceForm<TagForm> }): ReactNode {
  const { t } = useTranslation('channels')
  const groups = useQuery(groupNames)
  const models = useQuery(allModels)
  const keep = t('tag-drawer.keep')
  return (
    <>
      <TextField label={t('tag-drawer.new-tag')} help={t('tag-drawer.new-tag-help')} {...field('new_tag')} />
      <FormSection title={t('drawer.routing')}>
        <TagsField label={t('field.groups')} options={groups.data ?? []} placeholder={keep} {...field('groups')} />
        <SimpleGrid columns={2} gap="4">
          <TextField label={t('field.priority')} inputMode="numeric" placeholder={keep} {...field('priority')} />
          <TextField label={t('field.weight')} inputMode="numeric" placeholder={keep} {...field('weight')} />
        </SimpleGrid>
      </FormSection>
      <FormSection title={t('drawer.models')}>
        <TagsField
          isMono
          label={t('field.models')}
          options={[...new Set([...values.models, ...(models.data ?? [])])]}
          placeholder={keep}
          {...field('models')}
        />
        <JsonField
          label={t('field.mapping')}
          help={t('field.mapping-help')}
          pairs={{ key: 'gpt-4o', value: 'gpt-4o-2024-11-20' }}
          {...field('model_mapping')}
        />
      </FormSection>
    </>
  )
}
