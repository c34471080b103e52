import { Badge } from '@chakra-ui/react'
import type { Tone } from '@tollgate/domain/display/tone'
import type { ReactNode } from 'react'
import { PALETTE_OF_TONE } from './tone-palette.ts'

/** A small coloured label. The hint is shown on hover and focus. */
export function ToneTag({ tone, hint, children }: { tone: Tone; hint?: string | undefined; children: ReactNode }): ReactNode {
  return (
    <Badge
      colorPalette={PALETTE_OF_TONE[tone]}
      focusVisibleRing="outside"
      {...(hint === undefined ? {} : { 'data-hint': hint, tabIndex: 0, cursor: 'help' })}
    >
      {children}
    </Badge>
  )
}

/** A status: a dot in its colour and its name. Quiet where everything is well, loud where something needs a person. */
export function StatusTag({ tone, hint, children }: { tone: Tone; hint?: string | undefined; children: ReactNode }): ReactNode {
  return (
    <ToneTag tone={tone} hint={hint}>
      <Dot />
      {children}
    </ToneTag>
  )
}

function Dot(): ReactNode {
  return <span aria-hidden style={{ width: '6px', height: '6px', borderRadius: '50%', background: 'currentColor', flexShrink: 0 }} />
}
