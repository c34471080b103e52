import { Button } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { DatabaseBackup, Download, Upload } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Known } from './settings.ts'

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

/** All settings to a file, and back. */
export function Transfer({ known }: { readonly known: Known | undefined }): ReactNode {
  const { t } = useTranslation('settings')
  const [open, setOpen] = useState<'export' | 'import' | undefined>(undefined)
  const close = (): void => setOpen(undefined)
  return (
    <>
      <Button variant="outline" disabled={known === undefined} onClick={() => setOpen('export')}>
        <Download />
        {t('export.title')}
      </Button>
      <Button variant="outline" onClick={() => setOpen('import')}>
        <Upload />
        {t('import.title')}
      </Button>
      <Button variant="outline" asChild>
        <Link to="/setting/import">
          <DatabaseBackup />
          {t('moving-in')}
        </Link>
      </Button>
      <Suspense fallback={null}>
        {open === 'export' && known !== undefined ? <ExportDialog known={known} onClose={close} /> : null}
        {open === 'import' ? <ImportDialog onClose={close} /> : null}
      </Suspense>
    </>
  )
}
