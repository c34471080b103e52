import { createFileRoute } from '@tanstack/react-router'
import { HealthPage } from '../../../features/health/page.tsx'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/health')({
  loader: () => loadTexts('health'),
  component: HealthPage,
})
