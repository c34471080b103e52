import { describe, expect, it } from 'vitest'
import { semanticTokens } from './semantic-tokens.ts'

type Pair = { readonly value: { readonly base: string; readonly _dark: string } }

const AA_TEXT = 4.5
const AA_CONTROL = 3
const SURFACES = ['canvas', 'panel', 'raised', 'subtle'] as const
const HUES = ['neutral', 'accent', 'success', 'warning', 'orange', 'lime', 'danger', 'info', 'violet'] as const

describe.each(['base', '_dark'] as const)('in theme %s', (theme) => {
  it.each(['text', 'text.strong', 'text.muted'])('%s is readable on every surface', (name) => {
    for (const surface of SURFACES)
      expect(contrast(colour(name, theme), colour(surface, theme)), `${name} on ${surface}`).toBeGreaterThanOrEqual(AA_TEXT)
  })

  it.each(HUES)('%s is readable on its own tint, on panels, and filled', (hue) => {
    expect(contrast(colour(`${hue}.fg`, theme), colour(`${hue}.subtle`, theme)), 'tint').toBeGreaterThanOrEqual(AA_TEXT)
    expect(contrast(colour(`${hue}.fg`, theme), colour('panel', theme)), 'panel').toBeGreaterThanOrEqual(AA_TEXT)
    expect(contrast(colour(`${hue}.contrast`, theme), colour(`${hue}.solid`, theme)), 'filled').toBeGreaterThanOrEqual(AA_TEXT)
    expect(contrast(colour(`${hue}.contrast`, theme), colour(`${hue}.hover`, theme)), 'hovered').toBeGreaterThanOrEqual(AA_TEXT)
  })

  it('the edge of a check box and the focus ring stand out from a panel', () => {
    expect(contrast(colour('border.control', theme), colour('panel', theme))).toBeGreaterThanOrEqual(AA_CONTROL)
    expect(contrast(colour('accent.focusRing', theme), colour('panel', theme))).toBeGreaterThanOrEqual(AA_CONTROL)
  })
})

function colour(name: string, theme: 'base' | '_dark'): string {
  const found = name.split('.').reduce<unknown>((tree, key) => (isRecord(tree) ? tree[key] : undefined), semanticTokens.colors)
  const token = isPair(found) ? found : isRecord(found) ? found['DEFAULT'] : undefined
  if (!isPair(token)) throw new Error(`No colour ${name}`)
  return token.value[theme]
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isPair = (value: unknown): value is Pair => isRecord(value) && isRecord(value['value']) && typeof value['value']['base'] === 'string'

/** WCAG 2 contrast of two #rrggbb colours. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
