import { createFileRoute } from '@tanstack/react-router'
import { aboutContent } from '../features/about/api.ts'
import { AboutPage } from '../features/about/page.tsx'
import { loadTexts } from '../i18n/start.ts'

export const Route = createFileRoute('/about')({
  // A failure leaves our own page: the query shows its error.
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([loadTexts('about'), queryClient.prefetchQuery(aboutContent)])
  },
  component: AboutPage,
})
