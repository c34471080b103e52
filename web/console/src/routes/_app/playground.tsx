import { createFileRoute } from '@tanstack/react-router'
import { ownGroups, ownModels } from '../../features/playground/api.ts'
import { PlaygroundPage } from '../../features/playground/page.tsx'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/playground')({
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(ownGroups)
    void context.queryClient.prefetchQuery(ownModels)
    await loadTexts('playground', 'snippets')
  },
  component: PlaygroundPage,
})
