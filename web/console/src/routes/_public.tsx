import { createFileRoute } from '@tanstack/react-router'
import { ConsoleLayout } from '../app/shell/console-layout.tsx'

/** Pages for visitors too; who is signed in keeps the sidebar. */
export const Route = createFileRoute('/_public')({ component: ConsoleLayout })
