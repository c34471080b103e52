import { createFileRoute } from '@tanstack/react-router'
import { requireUser } from '../app/guards.ts'
import { OrganisationGate } from '../app/organisation-gate.tsx'
import { ConsoleLayout } from '../app/shell/console-layout.tsx'

/** Every page of the console: signed in, with the sidebar. */
export const Route = createFileRoute('/_app')({ beforeLoad: requireUser, component: Pages })

function Pages() {
  return (
    <ConsoleLayout>
      <OrganisationGate />
    </ConsoleLayout>
  )
}
