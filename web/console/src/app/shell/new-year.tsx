import { PartyPopper } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../../ui/icon-button.tsx'

/** A small surprise on the first of January. */
export function NewYear({ today = new Date() }: { readonly today?: Date }): ReactNode {
  const { t } = useTranslation('shell')
  if (today.getMonth() !== 0 || today.getDate() !== 1) return null
  return (
    <IconButton label={t('new-year')} color="orange.fg" onClick={() => toast.success(`🎉 ${today.getFullYear()} · ${t('new-year')}`)}>
      <PartyPopper aria-hidden />
    </IconButton>
  )
}
