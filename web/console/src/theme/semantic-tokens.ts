import { defineSemanticTokens } from '@chakra-ui/react'

const pair = (light: string, dark: string) => ({ value: { base: light, _dark: dark } })

/** One hue that means something. `solid` carries `contrast`; `subtle` and `panel` carry `fg`; every pair reaches 4.5 to 1. */
type Hue = {
  solid: [string, string]
  hover: [string, string]
  contrast: [string, string]
  fg: [string, string]
  subtle: [string, string]
  border: [string, string]
}

const hue = ({ solid, hover, contrast, fg, subtle, border }: Hue) => ({
  DEFAULT: pair(...fg),
  solid: pair(...solid),
  hover: pair(...hover),
  contrast: pair(...contrast),
  fg: pair(...fg),
  subtle: pair(...subtle),
  muted: pair(...border),
  border: pair(...border),
  focusRing: pair('#3b66e0', '#7ea2ff'),
})

const white: [string, string] = ['#ffffff', '#ffffff']

export const semanticTokens = defineSemanticTokens({
  colors: {
    /** Behind everything. */
    canvas: pair('#f6f7f9', '#0d1014'),
    /** Background of content. */
    panel: pair('#ffffff', '#14181e'),
    /** Hover, table heads, quiet fills. */
    subtle: pair('#f1f3f6', '#1b2027'),
    /** Pressed, selected, tracks. */
    emphasized: pair('#e5e9ee', '#262d36'),
    /** Menus, drawers, dialogs. */
    raised: pair('#ffffff', '#181d24'),
    overlay: pair('rgba(15, 20, 28, 0.42)', 'rgba(0, 0, 0, 0.62)'),
    inverted: pair('#1c222b', '#e8ebf0'),
    border: {
      DEFAULT: pair('#e1e5eb', '#272e37'),
      strong: pair('#c9d0d9', '#3a434f'),
      control: pair('#868f9c', '#67717e'),
    },
    text: {
      DEFAULT: pair('#303844', '#c9d0d9'),
      strong: pair('#131820', '#f0f3f6'),
      muted: pair('#5c6674', '#949eac'),
      inverted: pair('#ffffff', '#131820'),
    },
    /** Series of charts: told apart with every kind of colour blindness (chart-palette.test.ts), at 3 to 1 or better on a panel. */
    chart: {
      1: pair('#1f5dd1', '#4299ff'),
      2: pair('#9a9501', '#fed503'),
      3: pair('#ad125c', '#ab422b'),
      4: pair('#099ed5', '#69e9ff'),
      5: pair('#005a00', '#969902'),
      6: pair('#f75f90', '#fc81a1'),
      7: pair('#332288', '#8a41bb'),
      rest: pair('#868f9c', '#67717e'),
    },
    neutral: hue({
      solid: ['#2c343f', '#e3e7ec'],
      hover: ['#3b4551', '#ffffff'],
      contrast: ['#ffffff', '#14181e'],
      fg: ['#414b58', '#b9c1cc'],
      subtle: ['#eef1f4', '#232931'],
      border: ['#d5dae1', '#38414c'],
    }),
    accent: hue({
      solid: ['#2f5bd7', '#3f68e0'],
      hover: ['#274dba', '#375ed2'],
      contrast: white,
      fg: ['#2850c4', '#8fb0ff'],
      subtle: ['#edf2fe', '#182340'],
      border: ['#c4d3fa', '#2c3f73'],
    }),
    success: hue({
      solid: ['#18794e', '#1d7f53'],
      hover: ['#12633f', '#19724b'],
      contrast: white,
      fg: ['#156b45', '#5cc795'],
      subtle: ['#e8f6ee', '#10281d'],
      border: ['#b7e1c9', '#1f4a35'],
    }),
    warning: hue({
      solid: ['#9a5b00', '#f2b44b'],
      hover: ['#824d00', '#f8c670'],
      contrast: ['#ffffff', '#1f1503'],
      fg: ['#8a5200', '#e9b04c'],
      subtle: ['#fdf3e0', '#2d210c'],
      border: ['#f0d6a4', '#55401a'],
    }),
    orange: hue({
      solid: ['#b4470c', '#b8500f'],
      hover: ['#963a08', '#a5470c'],
      contrast: white,
      fg: ['#a5410b', '#f39a63'],
      subtle: ['#fdeee5', '#301a0e'],
      border: ['#f5cdb4', '#5c331b'],
    }),
    danger: hue({
      solid: ['#c42b2b', '#c93434'],
      hover: ['#a62222', '#b32d2d'],
      contrast: white,
      fg: ['#b42525', '#ff8f8a'],
      subtle: ['#fdecec', '#321616'],
      border: ['#f4c1c1', '#5f2a2a'],
    }),
    info: hue({
      solid: ['#0b6e84', '#11758b'],
      hover: ['#085869', '#0f697d'],
      contrast: white,
      fg: ['#096377', '#5cc3d9'],
      subtle: ['#e5f5f8', '#0d262d'],
      border: ['#b1dee7', '#1c4854'],
    }),
    lime: hue({
      solid: ['#4d7014', '#567d18'],
      hover: ['#405e10', '#4d7014'],
      contrast: white,
      fg: ['#466612', '#a6cf5c'],
      subtle: ['#f1f7e3', '#1e2810'],
      border: ['#d3e5ac', '#3d501c'],
    }),
    violet: hue({
      solid: ['#6d3fc4', '#7548cc'],
      hover: ['#5b32a8', '#6940bb'],
      contrast: white,
      fg: ['#6035b3', '#b99cf5'],
      subtle: ['#f3eefd', '#231a38'],
      border: ['#d9c9f6', '#443166'],
    }),
  },
  shadows: {
    raised: pair(
      '0 1px 2px rgba(16, 24, 40, 0.06), 0 8px 24px rgba(16, 24, 40, 0.12)',
      '0 1px 2px rgba(0, 0, 0, 0.5), 0 12px 32px rgba(0, 0, 0, 0.55)',
    ),
    thumb: pair('0 1px 2px rgba(16, 24, 40, 0.25)', '0 1px 2px rgba(0, 0, 0, 0.6)'),
  },
})
