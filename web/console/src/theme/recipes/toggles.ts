import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'

const mark = {
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  flexShrink: '0',
  boxSize: '4',
  bg: 'panel',
  color: 'transparent',
  borderWidth: '1px',
  borderColor: 'border.control',
  cursor: 'pointer',
  focusVisibleRing: 'outside',
  _disabled: { layerStyle: 'disabled' },
  _invalid: { borderColor: 'danger.solid' },
  '&:is([data-state=checked], [data-state=indeterminate])': {
    bg: 'colorPalette.solid',
    color: 'colorPalette.contrast',
    borderColor: 'colorPalette.solid',
  },
} as const

export const checkmarkRecipe = defineRecipe({
  className: 'tg-checkmark',
  base: { ...mark, borderRadius: 'sm', _icon: { boxSize: '3' } },
})

export const checkboxRecipe = defineSlotRecipe({
  className: 'tg-checkbox',
  slots: ['root', 'control', 'label'],
  base: {
    root: { display: 'inline-flex', alignItems: 'center', gap: '2', position: 'relative', cursor: 'pointer', verticalAlign: 'top' },
    control: { ...mark, borderRadius: 'sm', _icon: { boxSize: '3' } },
    label: { textStyle: 'sm', color: 'text', userSelect: 'none', _disabled: { opacity: '0.5' } },
  },
})

export const radiomarkRecipe = defineRecipe({
  className: 'tg-radiomark',
  base: { ...mark, borderRadius: 'full', '& .dot': { boxSize: '1.5', borderRadius: 'full', bg: 'currentColor' } },
})

export const radioGroupRecipe = defineSlotRecipe({
  className: 'tg-radio-group',
  slots: ['root', 'label', 'item', 'itemText', 'itemControl'],
  base: {
    root: { display: 'flex', flexDirection: 'column', gap: '2' },
    label: { textStyle: 'label', color: 'text.strong' },
    item: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '2',
      position: 'relative',
      cursor: 'pointer',
      _disabled: { layerStyle: 'disabled' },
    },
    itemText: { textStyle: 'sm', color: 'text', userSelect: 'none' },
    itemControl: { ...mark, borderRadius: 'full', '& .dot': { boxSize: '1.5', borderRadius: 'full', bg: 'currentColor' } },
  },
})

export const switchRecipe = defineSlotRecipe({
  className: 'tg-switch',
  slots: ['root', 'label', 'control', 'thumb'],
  base: {
    root: { display: 'inline-flex', alignItems: 'center', gap: '2', position: 'relative', cursor: 'pointer', verticalAlign: 'middle' },
    label: { textStyle: 'sm', color: 'text', userSelect: 'none', _disabled: { opacity: '0.5' } },
    control: {
      display: 'inline-flex',
      flexShrink: '0',
      width: 'var(--switch-width)',
      height: 'var(--switch-height)',
      p: '2px',
      borderRadius: 'full',
      bg: 'border.control',
      transitionProperty: 'background-color',
      transitionDuration: 'fast',
      focusVisibleRing: 'outside',
      _checked: { bg: 'colorPalette.solid' },
      _disabled: { layerStyle: 'disabled' },
    },
    thumb: {
      height: '100%',
      aspectRatio: '1',
      borderRadius: 'full',
      bg: 'white',
      shadow: 'thumb',
      transitionProperty: 'translate',
      transitionDuration: 'fast',
      _checked: { translate: 'calc(var(--switch-width) - var(--switch-height)) 0' },
    },
  },
  variants: {
    size: {
      sm: { root: { '--switch-width': '1.75rem', '--switch-height': '1rem' } },
      md: { root: { '--switch-width': '2.125rem', '--switch-height': '1.25rem' } },
    },
  },
  defaultVariants: { size: 'sm' },
})
