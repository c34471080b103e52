import { Button, chakra, Dialog, Portal } from '@chakra-ui/react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { logs, type LogClearing } from '@tollgate/contracts/resources/logs'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { StatusTag } from '../display/tone-tag.tsx'
import { TimeBox } from '../form/time-box.tsx'

const PROGRESS_EVERY_MS = 2_000

/** Deletions of history; followed while one is under way. */
const logClearings = () =>
  queryOptions({
    queryKey: keyOf(logs.clearings),
    queryFn: ({ signal }) => call(logs.clearings, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ finished_at }) => finished_at === 0) === true ? PROGRESS_EVERY_MS : false),
    meta: { quiet: true },
  })

/** Deletes old entries: a time, then how many there are, then the deletion, which continues when the dialog is closed. */
export function ClearLogsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation(['logs', 'display'])
  const client = useQueryClient()
  const [before, setBefore] = useState<number | undefined>(undefined)
  const history = useQuery(logClearings())
  const counting = useMutation({ mutationFn: (time: number) => call(logs.countBefore, { query: { target_timestamp: time } }) })
  const clearing = useMutation({
    mutationFn: (time: number) => call(logs.clear, { body: { target_timestamp: time } }),
    onSuccess: async () => {
      toast.success(t('clear.started'))
      counting.reset()
      await client.invalidateQueries({ queryKey: logClearings().queryKey })
    },
  })
  const choose = (time: number | undefined): void => {
    counting.reset()
    setBefore(time)
  }
  const look = (): void => (before === undefined ? toast.error(t('clear.missing')) : counting.mutate(before))
  const found = counting.data
  return (
    <Dialog.Root open onFocusOutside={(event) => event.preventDefault()} onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="lg">
            <Dialog.Header>
              <Dialog.Title>{t('clear.title')}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body display="flex" flexDirection="column" gap="4">
              <chakra.p color="text.muted">{t('clear.help')}</chakra.p>
              <chakra.div display="flex" flexWrap="wrap" gap="2" alignItems="center">
                <TimeBox label={t('clear.before')} value={before} onValue={choose} />
                <Button variant="outline" loading={counting.isPending} onClick={look}>
                  {t('clear.look')}
                </Button>
                {found === undefined ? null : <chakra.strong color="text.strong">{t('clear.found', { count: found })}</chakra.strong>}
              </chakra.div>
              <History rows={history.data ?? []} />
            </Dialog.Body>
            <Dialog.Footer>
              <Button variant="outline" onClick={onClose}>
                {t('display:action.close')}
              </Button>
              <Button
                colorPalette="danger"
                disabled={found === undefined || found === 0 || before === undefined}
                loading={clearing.isPending}
                onClick={() => (before === undefined ? undefined : clearing.mutate(before))}
              >
                {t('clear.run')}
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

function History({ rows }: { rows: readonly LogClearing[] }): ReactNode {
  const { t } = useTranslation('logs')
  if (rows.length === 0) return null
  return (
    <chakra.section>
      <chakra.h3 textStyle="section" color="text.strong" mb="1">
        {t('clear.history')}
      </chakra.h3>
      <chakra.ul listStyleType="none" textStyle="xs">
        {rows.map(({ id, before, removed, total, requested_by, finished_at }) => (
          <chakra.li key={id} display="flex" justifyContent="space-between" gap="3" py="1">
            <span>
              {t('clear.row', { time: timeText(before), removed: groupDigits(removed), total: groupDigits(total), name: requested_by })}
            </span>
            <StatusTag tone={finished_at === 0 ? 'blue' : 'green'}>{t(finished_at === 0 ? 'clear.running' : 'clear.done')}</StatusTag>
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.section>
  )
}
