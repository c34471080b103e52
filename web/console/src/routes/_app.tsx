import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { requireUser } from '../app/guards.ts'
import { ConsoleLayout } from '../app/shell/console-layout.tsx'
import { useUser } from '../lib/session.ts'

const OrganisationGate = lazy(async () => ({ default: (await import('../app/organisation-gate.tsx')).OrganisationGate }))

/** Every page of the console: signed in, with the sidebar. */
export const Route = createFileRoute('/_app')({ beforeLoad: requireUser, component: Pages })

function Pages() {
  const user = useUser()
  return (
    <>
      <ConsoleLayout />
      {user?.member === undefined ? null : (
        <Suspense fallback={null}>
          <OrganisationGate />
        </Suspense>
      )}
    </>
  )
}
