import type { ReactNode } from 'react'
import { isRoot, useUser } from '../../../lib/session.ts'
import { ExportDialog } from './export-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'

export type Transfer = { readonly kind: 'export'; readonly ids: readonly number[] } | { readonly kind: 'import' }

/** Channels to or from a file. */
export function TransferDialog({ wanted, onClose }: { readonly wanted: Transfer; readonly onClose: () => void }): ReactNode {
  const user = useUser()
  if (wanted.kind === 'import') return <ImportDialog onClose={onClose} />
  return <ExportDialog ids={wanted.ids} mayExportKeys={isRoot(user)} onClose={onClose} />
}
