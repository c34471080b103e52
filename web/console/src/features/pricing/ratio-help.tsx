import { Box, Button, chakra } from '@chakra-ui/react'
import { CircleHelp } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { InfoDialog } from '../../ui/overlay/info-dialog.tsx'

/** A help icon that opens a picture of how ratios become a price. */
export function RatioHelp(): ReactNode {
  const { t } = useTranslation(['pricing', 'display'])
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        <CircleHelp aria-hidden />
        {t('explain')}
      </Button>
      {isOpen ? (
        <InfoDialog title={t('picture.title')} width="3xl" onClose={() => setOpen(false)}>
          <RatioPicture />
        </InfoDialog>
      ) : null}
    </>
  )
}

const STEPS = ['model-ratio', 'group-ratio', 'unit', 'dollars'] as const
const [LEFT, RIGHT, BOX, TALL] = [10, 290, 260, 44]

function RatioPicture(): ReactNode {
  const { t } = useTranslation('pricing')
  return (
    <Box>
      <chakra.svg
        viewBox="0 0 560 400"
        w="full"
        role="img"
        aria-label={`${t('picture.title')}: ${t('formula')}`}
        css={{
          '& rect': { fill: '{colors.subtle}', stroke: '{colors.border.strong}' },
          '& text': { fill: '{colors.text.strong}', fontSize: '16px', textAnchor: 'middle' },
          '& path': { stroke: '{colors.border.control}', fill: 'none', strokeWidth: '1.5' },
          '& [data-end] rect': { fill: '{colors.accent.subtle}', stroke: '{colors.accent.border}' },
        }}
      >
        <Part x={LEFT} y={8} text={t('picture.prompt')} />
        <Part x={RIGHT} y={8} text={t('picture.completion')} />
        <path d="M420 52 V72" />
        <Part x={RIGHT} y={72} text={t('picture.completion-ratio')} />
        <path d="M140 52 V138 H280 V150 M420 116 V138 H280" />
        {STEPS.map((step, index) => (
          <g key={step} {...(step === 'dollars' ? { 'data-end': '' } : {})}>
            {index === 0 ? null : <path d={`M280 ${150 + index * 62 - 18} v18`} />}
            <Part x={150} y={150 + index * 62} text={t(`picture.${step}`)} />
          </g>
        ))}
      </chakra.svg>
      <chakra.p textStyle="sm" color="text.muted" mt="3">
        {t('picture.note')}
      </chakra.p>
    </Box>
  )
}

function Part({ x, y, text }: { readonly x: number; readonly y: number; readonly text: string }): ReactNode {
  return (
    <>
      <rect x={x} y={y} width={BOX} height={TALL} rx={8} />
      <text x={x + BOX / 2} y={y + 28}>
        {text}
      </text>
    </>
  )
}
