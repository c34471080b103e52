import type { DeliveryState } from '@tollgate/contracts/texts/mails'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ToneTag } from './tone-tag.tsx'

const TONES = { waiting: 'orange', sent: 'green', dead: 'red' } as const satisfies Readonly<Record<DeliveryState, string>>

/** State of a mail or webhook. */
export function DeliveryTag({ state }: { readonly state: DeliveryState }): ReactNode {
  const { t } = useTranslation('deliveries')
  return <ToneTag tone={TONES[state]}>{t(`state.${state}`)}</ToneTag>
}
