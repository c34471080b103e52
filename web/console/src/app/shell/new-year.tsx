import { PartyPopper } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'

/** A small surprise on the first of January. */
export function NewYear(): ReactNode {
  const [today] = useState(() => new Date())
  const { t } = useTranslation('shell')
  if (today.getMonth() !== 0 || today.getDate() !== 1) return null
  return (
    <IconButton label={t('new-year')} color="orange.fg" onClick={() => toast.success(t('new-year-wish', { year: today.getFullYear() }))}>
      <PartyPopper aria-hidden />
    </IconButton>
  )
}
