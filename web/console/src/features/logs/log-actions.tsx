import { ClearLogsDialog } from '../../ui/overlay/clear-logs-dialog.tsx'
import { Button } from '@chakra-ui/react'
import { useMutation } from '@tanstack/react-query'
import type { LogFilter } from '@tollgate/contracts/resources/logs'
import { Download, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../ui/list/csv.ts'
import { exportFile } from './api.ts'

/** Every matching entry as a file; for administrators also the deletion of history. */
export function LogActions({ filter, isAdmin }: { filter: LogFilter; isAdmin: boolean }): ReactNode {
  const { t } = useTranslation('logs')
  const [isClearing, setClearing] = useState(false)
  const exporting = useMutation({ mutationFn: async () => saveFile('logs.csv', await exportFile(filter, isAdmin)) })
  return (
    <>
      <Button variant="outline" loading={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download />
        {t('export')}
      </Button>
      {isAdmin ? (
        <Button variant="outline" hideBelow="sm" onClick={() => setClearing(true)}>
          <Trash2 />
          {t('clear.title')}
        </Button>
      ) : null}
      {isClearing ? <ClearLogsDialog onClose={() => setClearing(false)} /> : null}
    </>
  )
}
