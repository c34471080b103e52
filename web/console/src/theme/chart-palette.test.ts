import { describe, expect, it } from 'vitest'
import { semanticTokens } from './semantic-tokens.ts'

type Colour = readonly [number, number, number]

const { chart, panel } = semanticTokens.colors
const SERIES = [chart[1], chart[2], chart[3], chart[4], chart[5], chart[6], chart[7]]

/** How colours look without one kind of cone (Machado et al. 2009, severity 1), on linear RGB. */
const EYES = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const

/** Distance in OKLab; 0.02 is just visible side by side. */
const APART = 0.08

describe.each(['base', '_dark'] as const)('the colours of charts in theme %s', (theme) => {
  it.each(Object.entries(EYES))('differ enough for %s eyes', (_eyes, matrix) => {
    const seen = SERIES.map((pair) => oklab(seenBy(matrix, linear(pair.value[theme]))))
    const nearest = seen.flatMap((one, index) => seen.slice(index + 1).map((other) => distance(one, other)))
    expect(nearest).toHaveLength(21)
    expect(Math.min(...nearest)).toBeGreaterThan(APART)
  })

  it('stand out from a panel', () => {
    for (const pair of SERIES) expect(contrast(pair.value[theme], panel.value[theme]), pair.value[theme]).toBeGreaterThanOrEqual(3)
  })
})

function linear(hex: string): Colour {
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

function seenBy(matrix: readonly number[], [r, g, b]: Colour): Colour {
  const row = (at: number): number =>
    Math.min(1, Math.max(0, (matrix[at] ?? 0) * r + (matrix[at + 1] ?? 0) * g + (matrix[at + 2] ?? 0) * b))
  return [row(0), row(3), row(6)]
}

function oklab([r, g, b]: Colour): Colour {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

const distance = (one: Colour, other: Colour): number => Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])

function contrast(one: string, other: string): number {
  const luminance = (hex: string): number => {
    const [r, g, b] = linear(hex)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}
