import {
  INCIDENT_STATES,
  type IncidentForm,
  type IncidentState,
  type NewIncident,
  type StatusIncident,
} from '@tollgate/contracts/resources/status-page'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { ChoiceField, SwitchField, TagsField } from '../../ui/form/labelled-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm, type Bound, type FormProblem, type ResourceForm } from '../../ui/form/use-resource-form.ts'
import { useAddUpdate, useChangeIncident, useOpenIncident } from './incidents-api.ts'

type GroupsProps = { readonly groups: readonly string[]; readonly onClose: () => void }

const NEW = { title: '', groups: [], is_public: true, state: 'investigating', text: '' } as const satisfies NewIncident

/** Opens an incident with its first update. */
export function NewIncidentDrawer({ groups, onClose }: GroupsProps): ReactNode {
  const { t } = useTranslation('health')
  const opening = useOpenIncident()
  const form = useResourceForm<NewIncident>({
    initial: { ...NEW, groups: [] },
    isNew: true,
    problemsOf: (values) => [
      ...(values.title.trim() === '' ? [{ field: 'title' as const, message: t('incident.title-required') }] : []),
      ...(values.text.trim() === '' ? [{ field: 'text' as const, message: t('incident.text-required') }] : []),
    ],
    askBefore: ({ is_public, title }) =>
      is_public
        ? { title: t('incident.publish-title', { title }), help: t('incident.publish-help'), confirm: t('incident.publish') }
        : undefined,
    save: (body) => opening.mutateAsync(body),
    onSaved: () => {
      toast.success(t('incident.opened'))
      onClose()
    },
  })
  return (
    <FormDrawer title={t('incident.add')} form={form} onClose={onClose}>
      <TextField label={t('incident.name')} required autoFocus maxLength={120} {...form.field('title')} />
      <TagsField
        label={t('incident.groups')}
        help={t('incident.groups-help')}
        options={groups}
        {...form.field('groups')}
        onValue={(value) => form.set({ groups: [...value] })}
      />
      <StateField {...form.field('state')} />
      <TextField label={t('incident.text')} help={t('incident.text-help')} required rows={5} {...form.field('text')} />
      <SwitchField label={t('incident.is-public')} help={t('incident.is-public-help')} {...form.field('is_public')} />
    </FormDrawer>
  )
}

/** Title, groups and visibility. An incident that channel health proposed gets its title here. */
export function IncidentDrawer({ incident, groups, onClose }: GroupsProps & { readonly incident: StatusIncident }): ReactNode {
  const { t } = useTranslation('health')
  const changing = useChangeIncident()
  const form = useResourceForm<IncidentForm>({
    initial: { title: incident.title, groups: incident.groups, is_public: incident.is_public },
    isNew: false,
    problemsOf: (values): readonly FormProblem<IncidentForm>[] =>
      values.title.trim() === '' ? [{ field: 'title', message: t('incident.title-required') }] : [],
    askBefore: ({ is_public, title }, before) =>
      is_public && !before.is_public
        ? { title: t('incident.publish-title', { title }), help: t('incident.publish-help'), confirm: t('incident.publish') }
        : undefined,
    save: (body) => changing.mutateAsync({ id: incident.id, body }),
    onSaved: () => {
      toast.success(t('incident.saved'))
      onClose()
    },
  })
  // A group that is no longer shown stays until it is removed.
  const options = [...new Set([...groups, ...incident.groups])]
  return (
    <FormDrawer title={t('incident.edit')} form={form} onClose={onClose}>
      <TextField label={t('incident.name')} required autoFocus maxLength={120} {...form.field('title')} />
      <TagsField
        label={t('incident.groups')}
        help={t('incident.groups-help')}
        options={options}
        {...form.field('groups')}
        onValue={(value) => form.set({ groups: [...value] })}
      />
      <SwitchField label={t('incident.is-public')} help={t('incident.is-public-help')} {...form.field('is_public')} />
    </FormDrawer>
  )
}

type UpdateValues = { state: IncidentState; text: string }

export function UpdateDrawer({
  incident: { id, state, title },
  onClose,
}: {
  readonly incident: StatusIncident
  readonly onClose: () => void
}): ReactNode {
  const { t } = useTranslation('health')
  const adding = useAddUpdate()
  const form: ResourceForm<UpdateValues> = useResourceForm<UpdateValues>({
    initial: { state, text: '' },
    isNew: true,
    problemsOf: (values) => (values.text.trim() === '' ? [{ field: 'text', message: t('incident.text-required') }] : []),
    save: (body) => adding.mutateAsync({ id, body }),
    onSaved: () => {
      toast.success(t('incident.updated'))
      onClose()
    },
  })
  return (
    <FormDrawer title={t('incident.update-of', { title: title === '' ? t('incident.proposed') : title })} form={form} onClose={onClose}>
      <StateField {...form.field('state')} />
      <TextField label={t('incident.text')} help={t('incident.text-help')} required rows={5} {...form.field('text')} />
    </FormDrawer>
  )
}

function StateField({ onValue, ...bound }: Bound<IncidentState>): ReactNode {
  const { t } = useTranslation('health')
  return (
    <ChoiceField
      label={t('incident.state')}
      choices={INCIDENT_STATES.map((value) => ({ value, label: t(`incident.states.${value}`) }))}
      // The choices are the states.
      onValue={(value) => onValue(value as IncidentState)}
      {...bound}
    />
  )
}
