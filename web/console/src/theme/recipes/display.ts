import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'

const tints = {
  subtle: { bg: 'colorPalette.subtle', color: 'colorPalette.fg' },
  outline: { color: 'colorPalette.fg', borderWidth: '1px', borderColor: 'colorPalette.border' },
  solid: { bg: 'colorPalette.solid', color: 'colorPalette.contrast' },
} as const

export const badgeRecipe = defineRecipe({
  className: 'tg-badge',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    borderRadius: 'sm',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  variants: {
    variant: tints,
    size: { sm: { textStyle: 'xs', px: '1.5', minH: '5' }, md: { textStyle: 'sm', px: '2', minH: '6' } },
  },
  defaultVariants: { variant: 'subtle', size: 'sm' },
})

/** Colour by meaning: `colorPalette="success"` and so on. */
export const tagRecipe = defineSlotRecipe({
  className: 'tg-tag',
  slots: ['root', 'label', 'startElement', 'endElement', 'closeTrigger'],
  base: {
    root: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '1',
      maxWidth: '100%',
      verticalAlign: 'middle',
      borderRadius: 'sm',
      fontWeight: 'medium',
      fontVariantNumeric: 'tabular-nums',
      focusVisibleRing: 'outside',
    },
    label: { lineClamp: '1' },
    startElement: { display: 'inline-flex', flexShrink: '0', boxSize: '3', _icon: { boxSize: '100%' } },
    endElement: { display: 'inline-flex', flexShrink: '0', boxSize: '3', _icon: { boxSize: '100%' } },
    closeTrigger: {
      display: 'inline-flex',
      color: 'currentColor',
      borderRadius: 'xs',
      cursor: 'pointer',
      focusVisibleRing: 'inside',
      _icon: { boxSize: '3' },
    },
  },
  variants: {
    variant: { subtle: { root: tints.subtle }, outline: { root: tints.outline }, solid: { root: tints.solid } },
    size: {
      sm: { root: { px: '1.5', minH: '5' }, label: { textStyle: 'xs' } },
      md: { root: { px: '2', minH: '6' }, label: { textStyle: 'sm' } },
    },
  },
  defaultVariants: { variant: 'subtle', size: 'sm' },
})

/** Rows are 40 px, 32 px when compact (`size="sm"`); numbers line up. */
export const tableRecipe = defineSlotRecipe({
  className: 'tg-table',
  slots: ['root', 'header', 'body', 'row', 'columnHeader', 'cell', 'footer', 'caption'],
  base: {
    root: {
      width: 'full',
      borderCollapse: 'separate',
      borderSpacing: '0',
      textAlign: 'start',
      textStyle: 'sm',
    },
    columnHeader: {
      px: '3',
      textAlign: 'start',
      fontWeight: 'medium',
      textStyle: 'xs',
      color: 'text.muted',
      bg: 'subtle',
      whiteSpace: 'nowrap',
      borderBottomWidth: '1px',
      borderColor: 'border',
    },
    cell: { px: '3', textAlign: 'start', verticalAlign: 'middle', color: 'text', borderBottomWidth: '1px', borderColor: 'border' },
    row: { _selected: { '& td': { bg: 'accent.subtle' } }, '&:last-of-type td': { borderBottomWidth: '0' } },
    caption: { textStyle: 'xs', color: 'text.muted' },
    footer: { fontWeight: 'medium' },
  },
  variants: {
    interactive: { true: { body: { '& tr:hover > td': { bg: 'subtle' } } } },
    stickyHeader: { true: { header: { '& :where(th)': { position: 'sticky', top: 'var(--table-sticky-offset, 0)', zIndex: 'sticky' } } } },
    size: {
      sm: { columnHeader: { h: '8' }, cell: { h: '8' } },
      md: { columnHeader: { h: '9' }, cell: { h: '10' } },
    },
  },
  defaultVariants: { size: 'md' },
})

export const statRecipe = defineSlotRecipe({
  className: 'tg-stat',
  slots: ['root', 'label', 'helpText', 'valueText', 'valueUnit', 'indicator'],
  base: {
    root: { display: 'flex', flexDirection: 'column', gap: '0.5', minW: '0' },
    label: { display: 'inline-flex', alignItems: 'center', gap: '1', textStyle: 'xs', color: 'text.muted' },
    valueText: { textStyle: 'xl', fontWeight: 'semibold', color: 'text.strong', fontVariantNumeric: 'tabular-nums' },
    valueUnit: { textStyle: 'sm', color: 'text.muted', fontWeight: 'normal' },
    helpText: { textStyle: 'xs', color: 'text.muted' },
  },
})

export const emptyStateRecipe = defineSlotRecipe({
  className: 'tg-empty-state',
  slots: ['root', 'content', 'indicator', 'title', 'description'],
  base: {
    root: { width: 'full', px: '6', py: '12' },
    content: { display: 'flex', flexDirection: 'column', alignItems: 'center', textAlign: 'center', gap: '3', maxW: 'md', mx: 'auto' },
    indicator: { display: 'inline-flex', color: 'text.muted', _icon: { boxSize: '6' } },
    title: { textStyle: 'section', color: 'text.strong' },
    description: { textStyle: 'sm', color: 'text.muted' },
  },
})

/** A condition that lasts; what just happened is a toast. */
export const alertRecipe = defineSlotRecipe({
  className: 'tg-alert',
  slots: ['root', 'indicator', 'content', 'title', 'description'],
  base: {
    root: {
      display: 'flex',
      alignItems: 'flex-start',
      gap: '2.5',
      width: 'full',
      px: '3',
      py: '2.5',
      textStyle: 'sm',
      borderRadius: 'control',
      borderWidth: '1px',
      bg: 'colorPalette.subtle',
      borderColor: 'colorPalette.border',
      color: 'text.strong',
    },
    indicator: { display: 'inline-flex', flexShrink: '0', boxSize: '4', mt: '0.5', color: 'colorPalette.fg', _icon: { boxSize: 'full' } },
    content: { display: 'flex', flexDirection: 'column', gap: '0.5', flex: '1', minW: '0' },
    title: { fontWeight: 'medium' },
    description: { color: 'text' },
  },
  variants: {
    status: {
      info: { root: { colorPalette: 'info' } },
      success: { root: { colorPalette: 'success' } },
      warning: { root: { colorPalette: 'warning' } },
      error: { root: { colorPalette: 'danger' } },
      neutral: { root: { colorPalette: 'neutral' } },
    },
  },
  defaultVariants: { status: 'info' },
})

export const tabsRecipe = defineSlotRecipe({
  className: 'tg-tabs',
  slots: ['root', 'list', 'trigger', 'content'],
  base: {
    root: { position: 'relative', display: 'block' },
    list: { display: 'flex', gap: '4', borderBottomWidth: '1px', borderColor: 'border', overflowX: 'auto', overflowY: 'hidden' },
    trigger: {
      display: 'flex',
      alignItems: 'center',
      gap: '1.5',
      h: '9',
      px: '0.5',
      mb: '-1px',
      textStyle: 'sm',
      fontWeight: 'medium',
      color: 'text.muted',
      whiteSpace: 'nowrap',
      borderBottomWidth: '2px',
      borderColor: 'transparent',
      cursor: 'pointer',
      focusVisibleRing: 'inside',
      _hover: { color: 'text.strong' },
      _selected: { color: 'text.strong', borderColor: 'accent.solid' },
      _disabled: { layerStyle: 'disabled' },
    },
    content: { pt: '4', focusVisibleRing: 'inside' },
  },
})

export const codeRecipe = defineRecipe({
  className: 'tg-code',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    px: '1',
    borderRadius: 'sm',
    bg: 'subtle',
    color: 'text.strong',
    fontFamily: 'mono',
    fontSize: '0.92em',
    overflowWrap: 'anywhere',
  },
})

export const kbdRecipe = defineRecipe({
  className: 'tg-kbd',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    px: '1',
    minH: '4.5',
    borderRadius: 'sm',
    borderWidth: '1px',
    borderColor: 'border.strong',
    color: 'text.muted',
    fontFamily: 'body',
    textStyle: '2xs',
  },
})

export const linkRecipe = defineRecipe({
  className: 'tg-link',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    borderRadius: 'sm',
    color: 'accent.fg',
    cursor: 'pointer',
    focusVisibleRing: 'outside',
  },
  variants: {
    variant: {
      underline: {
        textDecoration: 'underline',
        textUnderlineOffset: '3px',
        textDecorationColor: 'accent.border',
        _hover: { textDecorationColor: 'currentColor' },
      },
      plain: { _hover: { textDecoration: 'underline', textUnderlineOffset: '3px' } },
    },
  },
  defaultVariants: { variant: 'plain' },
})

export const skeletonRecipe = defineRecipe({
  className: 'tg-skeleton',
  base: {},
  variants: {
    loading: {
      true: {
        borderRadius: 'sm',
        boxShadow: 'none',
        backgroundClip: 'padding-box',
        cursor: 'default',
        color: 'transparent',
        pointerEvents: 'none',
        userSelect: 'none',
        flexShrink: '0',
        '&::before, &::after, *': { visibility: 'hidden' },
      },
      false: { background: 'unset' },
    },
    variant: { pulse: { bg: 'emphasized', animation: 'pulse', _motionReduce: { animation: 'none' } } },
  },
  defaultVariants: { variant: 'pulse', loading: true },
})

export const spinnerRecipe = defineRecipe({
  className: 'tg-spinner',
  base: {
    display: 'inline-block',
    borderColor: 'currentColor',
    borderStyle: 'solid',
    borderWidth: '2px',
    borderRadius: 'full',
    width: 'var(--spinner-size)',
    height: 'var(--spinner-size)',
    animation: 'spin',
    borderBottomColor: 'transparent',
    borderInlineStartColor: 'transparent',
  },
  variants: {
    size: {
      inherit: { '--spinner-size': '1em' },
      xs: { '--spinner-size': 'sizes.3' },
      sm: { '--spinner-size': 'sizes.4' },
      md: { '--spinner-size': 'sizes.5' },
      lg: { '--spinner-size': 'sizes.8' },
    },
  },
  defaultVariants: { size: 'sm' },
})

export const separatorRecipe = defineRecipe({
  className: 'tg-separator',
  base: { display: 'block', borderColor: 'border' },
  variants: {
    orientation: { horizontal: { borderTopWidth: '1px', width: '100%' }, vertical: { borderInlineStartWidth: '1px', height: '100%' } },
  },
  defaultVariants: { orientation: 'horizontal' },
})

export const progressRecipe = defineSlotRecipe({
  className: 'tg-progress',
  slots: ['root', 'label', 'track', 'range', 'valueText'],
  base: {
    root: { position: 'relative', textStyle: 'xs' },
    track: { height: '1.5', borderRadius: 'full', bg: 'emphasized', overflow: 'hidden' },
    range: { height: '100%', bg: 'colorPalette.solid', transitionProperty: 'width', transitionDuration: 'moderate' },
    label: { color: 'text.muted' },
    valueText: { color: 'text.muted' },
  },
})

export const progressCircleRecipe = defineSlotRecipe({
  className: 'tg-progress-circle',
  slots: ['root', 'circle', 'circleTrack', 'circleRange'],
  base: {
    root: { display: 'inline-flex', verticalAlign: 'middle', alignItems: 'center', gap: '1.5', textStyle: 'xs', color: 'text.muted' },
    circle: { '--size': '1.25rem', '--thickness': '0.2rem', flexShrink: '0' },
    circleTrack: { stroke: 'emphasized' },
    circleRange: {
      stroke: 'colorPalette.solid',
      strokeLinecap: 'round',
      transitionProperty: 'stroke-dashoffset',
      transitionDuration: 'moderate',
    },
  },
})
