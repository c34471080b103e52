import { createFileRoute } from '@tanstack/react-router'
import { ResetRequestPage } from '../features/registration/reset-request-page.tsx'
import { loadTexts } from '../i18n/start.ts'

export const Route = createFileRoute('/reset')({ loader: () => loadTexts('registration'), component: ResetRequestPage })
