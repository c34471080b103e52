import { createFileRoute } from '@tanstack/react-router'
import { loadTexts } from '../i18n/start.ts'

export const Route = createFileRoute('/')({ loader: () => loadTexts('home') })
