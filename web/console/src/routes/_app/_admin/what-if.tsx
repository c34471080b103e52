import { createFileRoute } from '@tanstack/react-router'
import { WhatIfPage } from '../../../features/what-if/page.tsx'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/what-if')({
  loader: () => loadTexts('what-if'),
  component: WhatIfPage,
})
