import { createFileRoute } from '@tanstack/react-router'
import { homeContent } from '../features/home/content.ts'
import { HomePage } from '../features/home/page.tsx'
import { loadTexts } from '../i18n/start.ts'
import { firstRun } from '../lib/first-run.ts'
import { isRoot, session } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'

export const Route = createFileRoute('/')({
  loader: async ({ context: { queryClient } }) => {
    const needsChecklist = isRoot(session.user()) && storage.get('checklist-hidden') !== true
    await Promise.all([
      loadTexts('home', ...(needsChecklist ? (['snippets'] as const) : [])),
      // Either failing leaves the page usable: the query shows its own error.
      queryClient.prefetchQuery(homeContent),
      ...(needsChecklist ? [queryClient.prefetchQuery(firstRun)] : []),
    ])
  },
  component: HomePage,
})
