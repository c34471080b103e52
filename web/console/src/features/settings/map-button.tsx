import { Button } from '@chakra-ui/react'
import { useMutation } from '@tanstack/react-query'
import { channelBatches } from '@tollgate/contracts/resources/channel-batches'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'

/** Sends requests for a model that ends to its successor, in all channels. */
export function MapButton({ from, to }: { readonly from: string; readonly to: string }): ReactNode {
  const { t } = useTranslation('price-tools')
  const map = useMutation({
    mutationFn: () => call(channelBatches.mapModel, { body: { from, to } }),
    onSuccess: (count) => toast.success(t('catalogue.mapped', { count, to })),
  })
  const confirm = useConfirm()
  const question = {
    title: t('catalogue.map-title', { from, to }),
    help: t('catalogue.map-help', { from, to }),
    confirm: t('catalogue.map'),
    run: async () => void (await map.mutateAsync()),
  }
  return (
    <>
      <Button type="button" size="2xs" variant="outline" px="1.5" fontWeight="medium" onClick={() => confirm.ask(question)}>
        {t('catalogue.map-to', { to })}
      </Button>
      {confirm.dialog}
    </>
  )
}
