import { createFileRoute } from '@tanstack/react-router'
import { PersonalPage } from '../../features/personal/page.tsx'
import { loadTexts } from '../../i18n/start.ts'
import { ownAccount } from '../../lib/own-account.ts'

export const Route = createFileRoute('/_app/personal')({
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(ownAccount)
    await loadTexts('personal', 'security', 'third-party', 'deliveries', 'audit')
  },
  component: PersonalPage,
})
