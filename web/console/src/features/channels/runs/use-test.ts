import { useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { durationText } from '@tollgate/domain/display/time-text'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { channelPage, useTestChannel } from '../api.ts'
import { modelsOf } from '../channel-display.ts'
import { useVendorMessage } from '../../../ui/display/vendor-message.ts'

const SECOND = 1_000

/** Tests a channel with its own model; the toast says how it went. */
export function useTest() {
  const { t } = useTranslation('channels')
  const vendor = useVendorMessage()
  const test = useTestChannel()
  const run = (channel: Channel): void => {
    const model = channel.test_model === '' ? (modelsOf(channel)[0] ?? '') : channel.test_model
    test.mutate(
      { id: channel.id, model: '' },
      {
        onSuccess: (seconds) => toast.success(t('test.passed-toast', { name: channel.name, model, time: durationText(seconds * SECOND) })),
        onError: (error) => toast.error(t('test.failed', { message: vendor.ofTest(failureText(error) ?? '') })),
      },
    )
  }
  return { run, testing: test.isPending ? test.variables.id : undefined }
}

/** Tests the channel that was saved; a new one is the one with the highest id. */
export function useTestAfterSave(): (saved: Channel | undefined) => Promise<void> {
  const { t } = useTranslation('channels')
  const vendor = useVendorMessage()
  const client = useQueryClient()
  const test = useTestChannel()
  return async (saved) => {
    const newest = async (): Promise<Channel | undefined> =>
      (await client.fetchQuery({ ...channelPage(1, 1, { id_sort: true, tag_mode: false }), staleTime: 0 }))[0]
    const channel = saved ?? (await newest())
    if (channel === undefined) return
    try {
      const seconds = await test.mutateAsync({ id: channel.id, model: '' })
      const model = channel.test_model === '' ? (modelsOf(channel)[0] ?? '') : channel.test_model
      toast.success(t('test.passed-toast', { name: channel.name, model, time: durationText(seconds * SECOND) }))
    } catch (error) {
      toast.error(t('test.failed', { message: vendor.ofTest(failureText(error) ?? '') }))
    }
  }
}
