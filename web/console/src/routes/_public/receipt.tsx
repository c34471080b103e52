import { createFileRoute } from '@tanstack/react-router'
import { ReceiptPage } from '../../features/receipts/page.tsx'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_public/receipt')({
  loader: () => loadTexts('receipts'),
  component: ReceiptPage,
})
