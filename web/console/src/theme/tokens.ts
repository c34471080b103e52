import { defineTokens } from '@chakra-ui/react'

const steps = [
  0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96,
]

/** The 4 px grid: step 1 is 4 px. */
const grid = Object.fromEntries([
  ['0', { value: '0px' }],
  ['px', { value: '1px' }],
  ...steps.map((step) => [String(step), { value: `${step / 4}rem` }]),
])

/** Everything that does not change between light and dark. */
export const tokens = defineTokens({
  spacing: grid,
  sizes: {
    ...grid,
    full: { value: '100%' },
    max: { value: 'max-content' },
    min: { value: 'min-content' },
    fit: { value: 'fit-content' },
    xs: { value: '20rem' },
    sm: { value: '24rem' },
    md: { value: '28rem' },
    lg: { value: '32rem' },
    xl: { value: '36rem' },
    '2xl': { value: '42rem' },
    '3xl': { value: '48rem' },
    '4xl': { value: '56rem' },
    '5xl': { value: '64rem' },
    '6xl': { value: '72rem' },
  },
  radii: {
    none: { value: '0' },
    xs: { value: '2px' },
    sm: { value: '4px' },
    control: { value: '6px' },
    panel: { value: '8px' },
    full: { value: '9999px' },
  },
  fonts: {
    body: { value: "'Inter Variable', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans SC', 'Noto Sans CJK SC', system-ui, sans-serif" },
    heading: { value: "'Inter Variable', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans SC', 'Noto Sans CJK SC', system-ui, sans-serif" },
    mono: { value: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'Liberation Mono', monospace" },
  },
  fontSizes: {
    '2xs': { value: '0.6875rem' },
    xs: { value: '0.75rem' },
    sm: { value: '0.8125rem' },
    md: { value: '0.875rem' },
    lg: { value: '1rem' },
    xl: { value: '1.25rem' },
    '2xl': { value: '1.5rem' },
    '3xl': { value: '1.875rem' },
    '4xl': { value: '2.375rem' },
  },
  fontWeights: {
    normal: { value: '400' },
    medium: { value: '500' },
    semibold: { value: '600' },
    bold: { value: '700' },
  },
  lineHeights: {
    tight: { value: '1.25' },
    normal: { value: '1.5' },
    relaxed: { value: '1.65' },
  },
  borders: {
    none: { value: '0' },
    hairline: { value: '1px solid {colors.border}' },
  },
  durations: {
    fast: { value: '90ms' },
    moderate: { value: '140ms' },
  },
  easings: {
    out: { value: 'cubic-bezier(0.2, 0, 0, 1)' },
  },
  animations: {
    spin: { value: 'spin 0.9s linear infinite' },
    pulse: { value: 'pulse 1.6s ease-in-out infinite' },
  },
  cursor: {
    button: { value: 'pointer' },
    checkbox: { value: 'pointer' },
    disabled: { value: 'not-allowed' },
    menuitem: { value: 'pointer' },
    option: { value: 'pointer' },
    radio: { value: 'pointer' },
    switch: { value: 'pointer' },
  },
  zIndex: {
    base: { value: 0 },
    sticky: { value: 10 },
    bar: { value: 100 },
    modal: { value: 1000 },
    popover: { value: 1100 },
    toast: { value: 1200 },
    tooltip: { value: 1300 },
  },
})
