import { defineSlotRecipe } from '@chakra-ui/react'

const floating = {
  bg: 'raised',
  color: 'text',
  borderWidth: '1px',
  borderColor: 'border',
  borderRadius: 'panel',
  boxShadow: 'raised',
  outline: '0',
  maxHeight: 'min(var(--available-height), 24rem)',
  overflowY: 'auto',
  _open: { animationName: 'fade-in', animationDuration: 'fast' },
} as const

const row = {
  display: 'flex',
  alignItems: 'center',
  gap: '2',
  width: '100%',
  px: '2',
  py: '1.5',
  minH: '7',
  textStyle: 'sm',
  textAlign: 'start',
  borderRadius: 'sm',
  color: 'text',
  userSelect: 'none',
  cursor: 'pointer',
  outline: '0',
  _icon: { boxSize: '4', flexShrink: '0', color: 'text.muted' },
  _highlighted: { bg: 'subtle', color: 'text.strong' },
  _disabled: { layerStyle: 'disabled' },
} as const

const backdrop = {
  bg: 'overlay',
  position: 'fixed',
  inset: '0',
  zIndex: 'modal',
  _open: { animationName: 'fade-in', animationDuration: 'moderate' },
  _closed: { animationName: 'fade-out', animationDuration: 'fast' },
} as const

const head = { display: 'flex', alignItems: 'center', gap: '3', px: '5', py: '3.5', pe: '12', borderBottomWidth: '1px', borderColor: 'border' } as const
const foot = { display: 'flex', alignItems: 'center', justifyContent: 'flex-end', gap: '2', px: '5', py: '3', borderTopWidth: '1px', borderColor: 'border' } as const

export const menuRecipe = defineSlotRecipe({
  className: 'tg-menu',
  slots: ['content', 'item', 'itemText', 'itemIndicator', 'itemGroup', 'itemGroupLabel', 'itemCommand', 'separator'],
  base: {
    content: { ...floating, minW: '10rem', p: '1', zIndex: 'popover' },
    item: { ...row, '&[data-type]': { ps: '7', position: 'relative' }, '&[data-danger]': { color: 'danger.fg', _icon: { color: 'danger.fg' } } },
    itemText: { flex: '1' },
    itemIndicator: { position: 'absolute', insetStart: '2', _icon: { boxSize: '3.5' } },
    itemGroupLabel: { px: '2', py: '1.5', textStyle: 'xs', color: 'text.muted' },
    itemCommand: { ms: 'auto', ps: '4', textStyle: 'xs', color: 'text.muted', fontFamily: 'body' },
    separator: { height: '1px', bg: 'border', my: '1', mx: '-1' },
  },
})

export const selectRecipe = defineSlotRecipe({
  className: 'tg-select',
  slots: ['root', 'label', 'control', 'trigger', 'valueText', 'indicatorGroup', 'indicator', 'clearTrigger', 'content', 'item', 'itemText', 'itemGroupLabel'],
  base: {
    root: { display: 'flex', flexDirection: 'column', gap: '1', width: 'full' },
    label: { textStyle: 'label', color: 'text.strong' },
    control: { position: 'relative' },
    trigger: {
      display: 'flex', alignItems: 'center', justifyContent: 'space-between', width: 'full', minH: '8', ps: '2.5', pe: '8', textStyle: 'sm', textAlign: 'start',
      bg: 'panel', color: 'text.strong', borderRadius: 'control', borderWidth: '1px', borderColor: 'border.strong', cursor: 'pointer', focusVisibleRing: 'inside',
      _placeholderShown: { color: 'text.muted' }, _disabled: { layerStyle: 'disabled' }, _invalid: { borderColor: 'danger.solid' },
    },
    valueText: { lineClamp: '1' },
    indicatorGroup: { position: 'absolute', insetEnd: '2', top: '0', bottom: '0', display: 'flex', alignItems: 'center', gap: '1', pointerEvents: 'none' },
    indicator: { color: 'text.muted', _icon: { boxSize: '4' } },
    clearTrigger: { color: 'text.muted', pointerEvents: 'auto', focusVisibleRing: 'inside', borderRadius: 'sm' },
    content: { ...floating, p: '1', zIndex: 'popover', minW: 'var(--reference-width)' },
    item: { ...row, justifyContent: 'space-between' },
    itemText: { flex: '1' },
    itemGroupLabel: { px: '2', py: '1.5', textStyle: 'xs', color: 'text.muted' },
  },
})

export const comboboxRecipe = defineSlotRecipe({
  className: 'tg-combobox',
  slots: ['root', 'label', 'control', 'input', 'trigger', 'clearTrigger', 'indicatorGroup', 'content', 'item', 'itemText', 'itemIndicator', 'itemGroup', 'itemGroupLabel', 'empty'],
  base: {
    root: { display: 'flex', flexDirection: 'column', gap: '1', width: 'full' },
    label: { textStyle: 'label', color: 'text.strong' },
    control: { position: 'relative', display: 'inline-flex', width: 'full' },
    input: {
      width: 'full', height: '8', ps: '2.5', pe: '8', textStyle: 'sm', bg: 'panel', color: 'text.strong', borderRadius: 'control', borderWidth: '1px',
      borderColor: 'border.strong', outline: '0', focusVisibleRing: 'inside', _disabled: { layerStyle: 'disabled' }, _invalid: { borderColor: 'danger.solid' },
    },
    indicatorGroup: { position: 'absolute', insetEnd: '2', top: '0', bottom: '0', display: 'flex', alignItems: 'center', gap: '1' },
    trigger: { display: 'inline-flex', color: 'text.muted', _icon: { boxSize: '4' }, focusVisibleRing: 'inside', borderRadius: 'sm' },
    clearTrigger: { display: 'inline-flex', color: 'text.muted', _icon: { boxSize: '4' }, focusVisibleRing: 'inside', borderRadius: 'sm' },
    content: { ...floating, p: '1', zIndex: 'popover', minW: 'var(--reference-width)' },
    item: { ...row, justifyContent: 'space-between' },
    itemText: { flex: '1' },
    itemGroupLabel: { px: '2', py: '1.5', textStyle: 'xs', color: 'text.muted' },
    empty: { px: '2', py: '3', textStyle: 'sm', color: 'text.muted' },
  },
})

export const popoverRecipe = defineSlotRecipe({
  className: 'tg-popover',
  slots: ['content', 'header', 'body', 'footer', 'title', 'description', 'closeTrigger'],
  base: {
    content: { ...floating, position: 'relative', width: 'min(20rem, calc(100vw - 1rem))', zIndex: 'popover', textStyle: 'sm' },
    header: { px: '3', pt: '3', textStyle: 'section', color: 'text.strong' },
    title: { textStyle: 'section', color: 'text.strong' },
    body: { p: '3' },
    footer: { display: 'flex', justifyContent: 'flex-end', gap: '2', px: '3', pb: '3' },
  },
})

export const tooltipRecipe = defineSlotRecipe({
  className: 'tg-tooltip',
  slots: ['content', 'arrow', 'arrowTip'],
  base: {
    content: {
      '--tooltip-bg': 'colors.inverted', bg: 'inverted', color: 'text.inverted', px: '2', py: '1', borderRadius: 'sm', textStyle: 'xs', maxW: 'xs',
      zIndex: 'tooltip', overflowWrap: 'anywhere', _open: { animationName: 'fade-in', animationDuration: 'fast' },
    },
    arrow: { '--arrow-size': 'sizes.2', '--arrow-background': 'var(--tooltip-bg)' },
  },
})

export const dialogRecipe = defineSlotRecipe({
  className: 'tg-dialog',
  slots: ['backdrop', 'positioner', 'content', 'header', 'title', 'description', 'body', 'footer', 'closeTrigger'],
  base: {
    backdrop,
    positioner: { display: 'flex', justifyContent: 'center', alignItems: 'flex-start', position: 'fixed', inset: '0', px: '4', pt: '12vh', pb: '6', overflow: 'auto', zIndex: 'modal' },
    content: {
      position: 'relative', display: 'flex', flexDirection: 'column', width: '100%', bg: 'raised', color: 'text', textStyle: 'sm', outline: '0',
      borderWidth: '1px', borderColor: 'border', borderRadius: 'panel', boxShadow: 'raised',
      _open: { animationName: 'fade-in', animationDuration: 'moderate' }, _closed: { animationName: 'fade-out', animationDuration: 'fast' },
    },
    header: head,
    title: { textStyle: 'section', color: 'text.strong' },
    description: { color: 'text.muted' },
    body: { px: '5', py: '4', flex: '1' },
    footer: foot,
    closeTrigger: { position: 'absolute', top: '2.5', insetEnd: '3' },
  },
  variants: {
    size: {
      sm: { content: { maxW: 'sm' } },
      md: { content: { maxW: 'lg' } },
      lg: { content: { maxW: '3xl' } },
    },
  },
  defaultVariants: { size: 'md' },
})

/** Right drawer; the whole screen at 600 px and less. */
export const drawerRecipe = defineSlotRecipe({
  className: 'tg-drawer',
  slots: ['backdrop', 'positioner', 'content', 'header', 'title', 'description', 'body', 'footer', 'closeTrigger'],
  base: {
    backdrop,
    positioner: { display: 'flex', position: 'fixed', inset: '0', zIndex: 'modal', overscrollBehaviorY: 'none' },
    content: {
      position: 'relative', display: 'flex', flexDirection: 'column', width: '100%', maxH: '100dvh', bg: 'raised', color: 'text', textStyle: 'sm',
      outline: '0', borderColor: 'border', boxShadow: 'raised', _open: { animationDuration: 'moderate' }, _closed: { animationDuration: 'fast' },
    },
    header: head,
    title: { textStyle: 'section', color: 'text.strong', flex: '1' },
    description: { color: 'text.muted' },
    body: { px: '5', py: '4', flex: '1', overflow: 'auto' },
    footer: foot,
    closeTrigger: { position: 'absolute', top: '2.5', insetEnd: '3' },
  },
  variants: {
    size: {
      sm: { content: { sm: { maxW: 'md' } } },
      md: { content: { sm: { maxW: 'xl' } } },
      lg: { content: { sm: { maxW: '4xl' } } },
      full: { content: { maxW: '100vw' } },
    },
    placement: {
      end: {
        positioner: { justifyContent: 'flex-end', alignItems: 'stretch' },
        content: { borderInlineStartWidth: '1px', _open: { animationName: 'slide-from-right, fade-in' }, _closed: { animationName: 'fade-out' } },
      },
      start: {
        positioner: { justifyContent: 'flex-start', alignItems: 'stretch' },
        content: { borderInlineEndWidth: '1px', _open: { animationName: 'slide-from-left, fade-in' }, _closed: { animationName: 'fade-out' } },
      },
    },
  },
  defaultVariants: { size: 'md', placement: 'end' },
})
