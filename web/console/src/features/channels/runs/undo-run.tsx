import { Button, chakra } from '@chakra-ui/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RunResult } from '@tollgate/contracts/channels/channel-runs'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { channelBatches } from '@tollgate/contracts/resources/channel-batches'
import { Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { refresh } from '../../../lib/query-client.ts'
import { toast } from '../../../lib/toast.ts'

type Change = 'disabled' | 'enabled'
const BACK = { disabled: ChannelStatus.enabled, enabled: ChannelStatus.disabled } as const

/** Takes back what a run did to the status of channels. A disabled key is enabled in its channel. */
export function UndoRun({ results }: { readonly results: readonly RunResult[] }): ReactNode {
  const { t } = useTranslation('channel-runs')
  const client = useQueryClient()
  const [undone, setUndone] = useState<readonly Change[]>([])
  const idsOf = (change: Change): number[] => results.filter((result) => result.change === change).map(({ channel_id }) => channel_id)
  const undo = useMutation({
    mutationFn: (change: Change) => call(channelBatches.edit, { body: { ids: idsOf(change), change: { status: BACK[change] } } }),
    onSuccess: async (count, change) => {
      setUndone([...undone, change])
      toast.success(t('undone', { count }))
      await refresh(client, channelBatches.edit)
    },
  })
  const left = (['disabled', 'enabled'] as const).filter((change) => !undone.includes(change) && idsOf(change).length > 0)
  if (left.length === 0) return null
  return (
    <chakra.div display="flex" flexWrap="wrap" gap="2">
      {left.map((change) => (
        <Button
          key={change}
          size="sm"
          variant="outline"
          loading={undo.isPending && undo.variables === change}
          onClick={() => undo.mutate(change)}
        >
          <Undo2 />
          {t(`undo.${change}`, { count: idsOf(change).length })}
        </Button>
      ))}
    </chakra.div>
  )
}
