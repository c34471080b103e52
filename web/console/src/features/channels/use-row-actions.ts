import { useQueryClient } from '@tanstack/react-query'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { durationText } from '@tollgate/domain/display/time-text'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { copyChannel, useTestChannel, useToggleTag, useUpdateChannel, useUpdateTag } from './api.ts'
import type { ChannelRowActions } from './row-actions.tsx'
import { isEnabled, modelsOf } from './view.ts'

type Opened = Pick<ChannelRowActions, 'onEdit' | 'onPickTest' | 'onRemove' | 'onEditTag' | 'onExpandTag'>

const SECOND = 1_000

/** What the rows can do: what opens something is given, what calls the server is done here. */
export function useRowActions(opened: Opened, isListed: (channel: Channel) => boolean): ChannelRowActions {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const update = useUpdateChannel()
  const updateTag = useUpdateTag()
  const toggleTag = useToggleTag()
  const test = useTestChannel()
  const said = { onSuccess: () => toast.success(t('done')) }

  const onTest = (channel: Channel): void => {
    if (!isListed(channel)) return toast.error(t('not-found'))
    const model = channel.test_model === '' ? (modelsOf(channel)[0] ?? '') : channel.test_model
    test.mutate(
      { id: channel.id, model: '' },
      {
        onSuccess: (seconds) => toast.success(t('test.passed-toast', { name: channel.name, model, time: durationText(seconds * SECOND) })),
        onError: (error) => toast.error(t('test.failed', { message: failureText(error) ?? '' })),
      },
    )
  }
  const onCopy = async (channel: Channel): Promise<void> => {
    try {
      await copyChannel(client, channel)
      toast.success(t('done'))
    } catch (error) {
      toast.error(t('copy-failed', { reason: failureText(error) ?? '' }))
    }
  }
  return {
    ...opened,
    onTest,
    onCopy: (channel) => void onCopy(channel),
    onToggle: (channel) =>
      update.mutate({ id: channel.id, status: isEnabled(channel) ? ChannelStatus.disabled : ChannelStatus.enabled }, said),
    onNumber: (channel, change) => update.mutate({ id: channel.id, ...change }, said),
    onToggleTag: (tag, isOn) => toggleTag.mutate({ tag, isOn }, said),
    onTagNumber: (tag, change) => updateTag.mutate({ tag, ...change }, said),
    testing: test.isPending ? test.variables.id : undefined,
  }
}
