import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { sparkPath } from './chart-data.ts'

const WIDTH = 72
const HEIGHT = 20

/** The course of a few values in a cell; `label` says in words what it shows. */
export function SparkLine({
  values,
  label,
  colour = 'accent.fg',
}: {
  values: readonly number[]
  label: string
  colour?: string
}): ReactNode {
  const path = sparkPath(values, WIDTH, HEIGHT)
  if (path === '') return null
  return (
    <chakra.svg
      role="img"
      aria-label={label}
      data-hint={label}
      viewBox={`-1 -2 ${WIDTH + 2} ${HEIGHT + 4}`}
      width="4.5rem"
      height="1.25rem"
      color={colour}
      display="inline-block"
      verticalAlign="middle"
      overflow="visible"
    >
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" strokeLinecap="round" />
    </chakra.svg>
  )
}
