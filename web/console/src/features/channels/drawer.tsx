import { Spinner } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DetailDrawer, FormDrawer } from '../../ui/detail-drawer.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useLeftFields } from '../../ui/use-left-fields.ts'
import { channelById, useCreateChannel, useUpdateChannel } from './api.ts'
import { ChannelFields } from './fields.tsx'
import { EMPTY_FORM, endsInV1, FIELD_OF_PROBLEM, problemsOf, toChange, toForm, toNewChannel, type ChannelForm } from './form.ts'
import { usePresets } from './use-presets.ts'

/** `/channel/add`. */
export function CreateChannelDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation('channels')
  const create = useCreateChannel()
  const submit = async (form: ChannelForm): Promise<void> => {
    await create.mutateAsync(toNewChannel(form))
    toast.success(t('created-toast'))
    onClose()
  }
  const presets = usePresets()
  const initial = { ...EMPTY_FORM, models: [...presets(EMPTY_FORM.type)] }
  return <ChannelDrawer title={t('drawer.create-title')} initial={initial} isBusy={create.isPending} onSubmit={submit} onClose={onClose} />
}

/** `/channel/edit/{id}`; reads the channel fresh. */
export function EditChannelDrawer({ id, onClose }: { id: number; onClose: () => void }): ReactNode {
  const { t } = useTranslation('channels')
  const query = useQuery(channelById(id))
  if (query.data !== undefined) return <LoadedChannelDrawer channel={query.data} onClose={onClose} />
  return (
    <DetailDrawer title={t('drawer.edit-title', { id })} onClose={onClose}>
      {query.error === null ? <Spinner /> : <ErrorState message={failureText(query.error) ?? ''} onRetry={() => void query.refetch()} />}
    </DetailDrawer>
  )
}

function LoadedChannelDrawer({ channel, onClose }: { channel: Channel; onClose: () => void }): ReactNode {
  const { t } = useTranslation('channels')
  // What the drawer was opened with: a refetch in the background must not change the comparison.
  const [opened] = useState(channel)
  const update = useUpdateChannel()
  const submit = async (form: ChannelForm): Promise<void> => {
    await update.mutateAsync(toChange(opened, form))
    toast.success(t('updated-toast'))
    onClose()
  }
  return (
    <ChannelDrawer
      title={t('drawer.edit-title', { id: opened.id })}
      initial={toForm(opened)}
      channel={opened}
      isBusy={update.isPending}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}

type ChannelDrawerProps = {
  readonly title: string
  readonly initial: ChannelForm
  /** Absent for a new one. */
  readonly channel?: Channel
  readonly isBusy: boolean
  readonly onSubmit: (form: ChannelForm) => Promise<void>
  readonly onClose: () => void
}

function ChannelDrawer({ title, initial, channel, isBusy, onSubmit, onClose }: ChannelDrawerProps): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  const [opened] = useState(initial)
  const [form, setForm] = useState(initial)
  const [stage, setStage] = useState<'typing' | 'checked' | 'asking-v1'>('typing')
  const isNew = channel === undefined
  const problems = problemsOf(form, isNew)
  const { left, onBlur } = useLeftFields()
  const shown = stage === 'typing' ? problems.filter((problem) => left.has(FIELD_OF_PROBLEM[problem])) : problems
  // The mutation shows the refusal; the drawer stays open with its input.
  const save = (): Promise<void> => onSubmit(form).catch(() => undefined)
  const submit = (): Promise<void> | undefined => {
    const [first] = problems
    setStage('checked')
    if (first !== undefined) toast.error(t(`error.${first}`))
    else if (endsInV1(form) && form.base_url !== opened.base_url) setStage('asking-v1')
    else return save()
    return undefined
  }
  const asksV1 = stage === 'asking-v1'
  return (
    <FormDrawer
      title={title}
      submit={t(isNew ? 'display:action.create' : 'display:action.save')}
      isDirty={JSON.stringify(form) !== JSON.stringify(opened)}
      isBusy={isBusy}
      isNew={isNew}
      problem={stage === 'checked' && problems.length > 0 ? t('display:form.errors') : undefined}
      onSubmit={submit}
      onBlur={onBlur}
      onClose={onClose}
    >
      <ChannelFields form={form} onChange={setForm} problems={shown} channel={channel} />
      <ConfirmDialog
        ask={
          asksV1
            ? { title: t('v1-title'), help: t('v1-help'), confirm: t('v1-save'), isDangerous: false, run: () => void save() }
            : undefined
        }
        onClose={() => setStage('checked')}
      />
    </FormDrawer>
  )
}
