import { Button } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEditConflict } from '../../../ui/form/use-edit-conflict.tsx'
import { useResourceForm } from '../../../ui/form/use-resource-form.ts'
import { LoadingDrawer } from '../../../ui/overlay/detail-drawer.tsx'
import { channelById, useCreateChannel, useSaveChannel } from '../api.ts'
import { ChannelFields } from './fields.tsx'
import { EMPTY_FORM, pathIn, FIELD_OF_PROBLEM, problemsOf, seenOf, SERVER_FIELDS, toChange, toForm, toNewChannel } from './form.ts'
import { useTestAfterSave } from '../runs/use-test.ts'
import { usePresets } from './use-presets.ts'

type DrawerProps = { readonly onClose: () => void }

/** `/channel/add`. */
export function CreateChannelDrawer({ onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('channels')
  return <ChannelDrawer title={t('drawer.create-title')} channel={undefined} onClose={onClose} />
}

/** `/channel/edit/{id}`; reads the channel fresh. */
export function EditChannelDrawer({ id, onClose }: DrawerProps & { readonly id: number }): ReactNode {
  const { t } = useTranslation('channels')
  const title = t('drawer.edit-title', { id })
  return (
    <LoadingDrawer title={title} query={useQuery(channelById(id))} onClose={onClose}>
      {(channel) => <ChannelDrawer title={title} channel={channel} onClose={onClose} />}
    </LoadingDrawer>
  )
}

function ChannelDrawer({ title, channel, onClose }: DrawerProps & { title: string; channel: Channel | undefined }): ReactNode {
  const { t } = useTranslation('channels')
  const [opened] = useState(channel)
  const presets = usePresets()
  const create = useCreateChannel()
  const update = useSaveChannel()
  const isNew = opened === undefined
  const test = useTestAfterSave()
  const { saving, dialog } = useEditConflict()
  const isTested = useRef(false)
  const form = useResourceForm({
    initial: isNew ? { ...EMPTY_FORM, models: [...presets(EMPTY_FORM.type)] } : toForm(opened),
    isNew,
    serverFields: SERVER_FIELDS,
    problemsOf: (values) =>
      problemsOf(values, isNew).map((problem) => ({ field: FIELD_OF_PROBLEM[problem], message: t(`error.${problem}`) })),
    askBefore: (values, before) =>
      pathIn(values) !== '' && values.base_url !== before.base_url
        ? { title: t('v1-title', { path: pathIn(values) }), help: t('v1-help'), confirm: t('v1-save'), isDangerous: false }
        : undefined,
    save: async (values) => {
      if (isNew) await create.mutateAsync(toNewChannel(values))
      else await saving(toChange(opened, values), seenOf(opened), (body) => update.mutateAsync(body))
    },
    onSaved: () => {
      toast.success(t(isNew ? 'created-toast' : 'updated-toast'))
      onClose()
      if (isTested.current) void test(opened)
    },
  })
  const saveAndTest = (): void => {
    isTested.current = true
    if (!isNew && !form.isDirty) void test(opened)
    else form.submit()
  }
  return (
    <FormDrawer
      title={title}
      form={form}
      onClose={onClose}
      actions={
        <Button variant="outline" disabled={form.isBusy} onClick={saveAndTest}>
          {t(isNew || form.isDirty ? 'action.save-and-test' : 'action.test')}
        </Button>
      }
    >
      <ChannelFields form={form} channel={opened} now={channel} />
      {dialog}
    </FormDrawer>
  )
}
