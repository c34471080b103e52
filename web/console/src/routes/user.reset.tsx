import { createFileRoute } from '@tanstack/react-router'
import { ResetConfirmPage } from '../features/registration/reset-confirm-page.tsx'
import { loadTexts } from '../i18n/start.ts'

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '')

export const Route = createFileRoute('/user/reset')({
  validateSearch: (search) => ({ email: textOf(search['email']), token: textOf(search['token']) }),
  loader: () => loadTexts('registration'),
  component: ResetConfirm,
})

function ResetConfirm() {
  return <ResetConfirmPage link={Route.useSearch()} />
}
