import { Button } from '@chakra-ui/react'
import { useMutation } from '@tanstack/react-query'
import { REFUNDED } from '@tollgate/contracts/enums'
import { receipts } from '@tollgate/contracts/resources/receipts'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import { ReceiptText } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { saveFile } from '../../ui/list/csv.ts'

type ReceiptProps = { readonly explained: LogExplanation; readonly isAdmin: boolean }

/** Saves the signed receipt of a charge as a file; entries that book nothing have none. */
export function ReceiptButton({ explained: { log, charge }, isAdmin }: ReceiptProps): ReactNode {
  const { t } = useTranslation('logs')
  const save = useMutation({
    mutationFn: async () => {
      const { jws } = await call(isAdmin ? receipts.get : receipts.getOwn, {
        params: { id: log.id },
        query: { created_at: log.created_at },
      })
      saveFile(`receipt-${log.request_id}.jws`, new Blob([`${jws}\n`], { type: 'application/jose' }))
    },
  })
  if (charge === null && log.state !== REFUNDED) return null
  return (
    <Button variant="outline" data-hint={t('explain.receipt-hint')} loading={save.isPending} onClick={() => save.mutate()}>
      <ReceiptText aria-hidden />
      {t('explain.receipt')}
    </Button>
  )
}
