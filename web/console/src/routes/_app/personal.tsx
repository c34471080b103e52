import { createFileRoute } from '@tanstack/react-router'
import { ownAccount } from '../../features/personal/api.ts'
import { PersonalPage } from '../../features/personal/page.tsx'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/personal')({
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(ownAccount)
    await loadTexts('personal', 'security', 'third-party')
  },
  component: PersonalPage,
})
