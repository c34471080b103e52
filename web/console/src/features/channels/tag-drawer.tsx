import { chakra, Input, Spinner } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Channel, TagChange } from '@tollgate/contracts/resources/channels'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DetailDrawer, FormDrawer, FormSection } from '../../ui/detail-drawer.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { LabelledField } from '../../ui/labelled-field.tsx'
import { TagSelect } from '../../ui/tag-select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { allModels, channelSearch, groupNames, useUpdateTag } from './api.ts'
import { tagProblemsOf, toTagChange, toTagForm, type TagForm, type TagProblem } from './tag-form.ts'

const ANY = { keyword: '', group: '', model: '' }

/** Edits all channels of a tag. */
export function TagDrawer({ tag, onClose }: { tag: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation('channels')
  const { data } = useQuery(channelSearch(ANY, { id_sort: false, tag_mode: true }))
  if (data === undefined)
    return (
      <DetailDrawer title={t('tag-drawer.title', { tag })} onClose={onClose}>
        <Spinner />
      </DetailDrawer>
    )
  return <LoadedTagDrawer tag={tag} channels={data.filter((channel) => channel.tag === tag)} onClose={onClose} />
}

function LoadedTagDrawer({ tag, channels, onClose }: { tag: string; channels: readonly Channel[]; onClose: () => void }): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  const [before] = useState(() => toTagForm(tag, channels))
  const [form, setForm] = useState(before)
  const [dissolving, setDissolving] = useState<TagChange | undefined>(undefined)
  const update = useUpdateTag()
  const problems = tagProblemsOf(form)
  const save = async (change: TagChange): Promise<void> => {
    await update.mutateAsync(change)
    toast.success(t('done'))
    onClose()
  }
  const submit = (): Promise<void> | undefined => {
    const [first] = problems
    const change = toTagChange(tag, before, form)
    if (first !== undefined) toast.error(t(textOf(first)))
    else if (change === undefined) toast.warning(t('tag-drawer.unchanged'))
    else if (change.new_tag === '') setDissolving(change)
    // The mutation shows the refusal; the drawer stays open with its input.
    else return save(change).catch(() => undefined)
    return undefined
  }
  return (
    <FormDrawer
      title={t('tag-drawer.title', { tag })}
      submit={t('display:action.save')}
      isDirty={JSON.stringify(form) !== JSON.stringify(before)}
      isBusy={update.isPending}
      isNew
      problem={problems.length > 0 ? t('display:form.errors') : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <chakra.p color="text.muted">{t('tag-drawer.help')}</chakra.p>
      <TagFields form={form} onChange={setForm} problems={problems} />
      <ConfirmDialog
        ask={
          dissolving === undefined
            ? undefined
            : {
                title: t('tag-drawer.dissolve-title', { tag }),
                help: t('tag-drawer.dissolve-help'),
                confirm: t('tag-drawer.dissolve'),
                run: () => save(dissolving),
              }
        }
        onClose={() => setDissolving(undefined)}
      />
    </FormDrawer>
  )
}

const TEXTS = {
  mapping: 'error.mapping',
  priority: 'tag-drawer.priority-error',
  weight: 'tag-drawer.weight-error',
} as const satisfies Record<TagProblem, string>
const textOf = (problem: TagProblem) => TEXTS[problem]

function TagFields({
  form,
  onChange,
  problems,
}: {
  form: TagForm
  onChange: (form: TagForm) => void
  problems: readonly TagProblem[]
}): ReactNode {
  const { t } = useTranslation('channels')
  const groups = useQuery(groupNames)
  const models = useQuery(allModels)
  const error = (problem: TagProblem): string | undefined => (problems.includes(problem) ? t(textOf(problem)) : undefined)
  return (
    <>
      <TextField
        label={t('tag-drawer.new-tag')}
        help={t('tag-drawer.new-tag-help')}
        value={form.new_tag}
        onValue={(new_tag) => onChange({ ...form, new_tag })}
      />
      <FormSection title={t('drawer.routing')}>
        <LabelledField label={t('field.groups')}>
          <TagSelect
            label={t('field.groups')}
            options={groups.data ?? []}
            value={form.groups}
            placeholder={t('tag-drawer.keep')}
            onChange={(next) => onChange({ ...form, groups: next })}
          />
        </LabelledField>
        <chakra.div display="grid" gridTemplateColumns="1fr 1fr" gap="4">
          <LabelledField label={t('field.priority')} error={error('priority')}>
            <Input
              inputMode="numeric"
              placeholder={t('tag-drawer.keep')}
              value={form.priority}
              onChange={(event) => onChange({ ...form, priority: event.target.value })}
            />
          </LabelledField>
          <LabelledField label={t('field.weight')} error={error('weight')}>
            <Input
              inputMode="numeric"
              placeholder={t('tag-drawer.keep')}
              value={form.weight}
              onChange={(event) => onChange({ ...form, weight: event.target.value })}
            />
          </LabelledField>
        </chakra.div>
      </FormSection>
      <FormSection title={t('drawer.models')}>
        <LabelledField label={t('field.models')}>
          <TagSelect
            isMono
            label={t('field.models')}
            options={[...new Set([...form.models, ...(models.data ?? [])])]}
            value={form.models}
            placeholder={t('tag-drawer.keep')}
            onChange={(next) => onChange({ ...form, models: next })}
          />
        </LabelledField>
        <JsonField
          label={t('field.mapping')}
          help={t('field.mapping-help')}
          error={error('mapping')}
          value={form.model_mapping}
          onChange={(model_mapping) => onChange({ ...form, model_mapping })}
          pairs={{ key: 'gpt-4o', value: 'gpt-4o-2024-11-20' }}
        />
      </FormSection>
    </>
  )
}
