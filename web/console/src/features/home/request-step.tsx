import { Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { FirstRun } from '@tollgate/contracts/resources/setup'
import type { ReactNode } from 'react'
import { clientAddress } from '../../lib/client-address.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { ClientSnippets } from '../../ui/display/client-snippets.tsx'
import { FirstAnswer } from '../../ui/display/first-answer.tsx'
import { tokenById } from './api.ts'

/** The first request, ready to paste; the line below turns green by itself when it arrives. */
export function RequestStep({ run }: { readonly run: FirstRun }): ReactNode {
  const status = useSiteStatus()
  const { data: token } = useQuery({ ...tokenById(run.token?.id ?? 0), enabled: run.token !== null })
  return (
    <Stack gap="4">
      <ClientSnippets
        values={{
          address: clientAddress(status?.server_address, window.location.origin),
          key: `sk-${token?.key ?? '…'}`,
          model: run.priced_model ?? run.channel?.model ?? '',
        }}
      />
      <FirstAnswer request={run.request} />
    </Stack>
  )
}
