import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'

/** Heights: xs 24, sm 28, md 32 (the default), lg 40 (sign-in, touch). */
export const buttonRecipe = defineRecipe({
  className: 'tg-button',
  base: {
    display: 'inline-flex',
    appearance: 'none',
    alignItems: 'center',
    justifyContent: 'center',
    flexShrink: '0',
    position: 'relative',
    userSelect: 'none',
    whiteSpace: 'nowrap',
    verticalAlign: 'middle',
    borderRadius: 'control',
    borderWidth: '1px',
    borderColor: 'transparent',
    cursor: 'button',
    fontWeight: 'medium',
    transitionProperty: 'background-color, border-color, color',
    transitionDuration: 'fast',
    focusVisibleRing: 'outside',
    _disabled: { layerStyle: 'disabled' },
    _icon: { flexShrink: '0' },
  },
  variants: {
    size: {
      xs: { h: '6', minW: '6', px: '2', gap: '1', textStyle: 'xs', _icon: { boxSize: '3.5' } },
      sm: { h: '7', minW: '7', px: '2.5', gap: '1.5', textStyle: 'sm', _icon: { boxSize: '3.5' } },
      md: { h: '8', minW: '8', px: '3', gap: '1.5', textStyle: 'sm', _icon: { boxSize: '4' } },
      lg: { h: '10', minW: '10', px: '4', gap: '2', textStyle: 'md', _icon: { boxSize: '4' } },
    },
    variant: {
      /** One per page or drawer. */
      solid: {
        bg: 'colorPalette.solid',
        color: 'colorPalette.contrast',
        _hover: { bg: 'colorPalette.hover' },
        _expanded: { bg: 'colorPalette.hover' },
      },
      subtle: {
        bg: 'colorPalette.subtle',
        color: 'colorPalette.fg',
        _hover: { bg: 'colorPalette.muted' },
        _expanded: { bg: 'colorPalette.muted' },
      },
      outline: {
        bg: 'panel',
        borderColor: 'border.strong',
        color: 'text.strong',
        _hover: { bg: 'subtle' },
        _expanded: { bg: 'subtle' },
      },
      ghost: {
        bg: 'transparent',
        color: 'text',
        _hover: { bg: 'subtle', color: 'text.strong' },
        _expanded: { bg: 'subtle', color: 'text.strong' },
      },
      plain: {
        color: 'colorPalette.fg',
        px: '0',
        h: 'auto',
        minW: '0',
        _hover: { textDecoration: 'underline', textUnderlineOffset: '3px' },
      },
    },
  },
  defaultVariants: { size: 'md', variant: 'solid' },
})

const fieldBox = {
  width: '100%',
  minWidth: '0',
  appearance: 'none',
  textAlign: 'start',
  bg: 'panel',
  color: 'text.strong',
  borderRadius: 'control',
  borderWidth: '1px',
  borderColor: 'border.strong',
  outline: '0',
  transitionProperty: 'border-color',
  transitionDuration: 'fast',
  focusVisibleRing: 'inside',
  _hover: { borderColor: 'border.control' },
  _disabled: { layerStyle: 'disabled', bg: 'subtle' },
  _readOnly: { bg: 'subtle' },
  _invalid: { borderColor: 'danger.solid', focusRingColor: 'danger.solid' },
} as const

export const inputRecipe = defineRecipe({
  className: 'tg-input',
  base: { ...fieldBox, height: 'var(--input-height)' },
  variants: {
    size: {
      xs: { '--input-height': 'sizes.6', px: '1.5', textStyle: 'xs' },
      sm: { '--input-height': 'sizes.7', px: '2', textStyle: 'sm' },
      md: { '--input-height': 'sizes.8', px: '2.5', textStyle: 'sm' },
      lg: { '--input-height': 'sizes.10', px: '3', textStyle: 'md' },
    },
    variant: {
      outline: {},
      /** A cell that can be typed in: quiet until it is touched. */
      subtle: { bg: 'transparent', borderColor: 'transparent', _hover: { borderColor: 'border.strong' }, _focusVisible: { bg: 'panel' } },
    },
  },
  defaultVariants: { size: 'md', variant: 'outline' },
})

export const textareaRecipe = defineRecipe({
  className: 'tg-textarea',
  base: { ...fieldBox, minH: '20', lineHeight: 'normal' },
  variants: {
    size: {
      sm: { px: '2', py: '1.5', textStyle: 'sm' },
      md: { px: '2.5', py: '1.5', textStyle: 'sm' },
      lg: { px: '3', py: '2', textStyle: 'md' },
    },
    variant: { outline: {} },
  },
  defaultVariants: { size: 'md', variant: 'outline' },
})

export const nativeSelectRecipe = defineSlotRecipe({
  className: 'tg-native-select',
  slots: ['root', 'field', 'indicator'],
  base: {
    root: { display: 'flex', width: '100%', height: 'fit-content', position: 'relative' },
    field: { ...fieldBox, height: 'var(--select-height)', cursor: 'pointer', '& > option, & > optgroup': { bg: 'panel' } },
    indicator: {
      position: 'absolute',
      top: '0',
      bottom: '0',
      display: 'inline-flex',
      alignItems: 'center',
      pointerEvents: 'none',
      color: 'text.muted',
      _icon: { boxSize: '4' },
    },
  },
  variants: {
    size: {
      xs: { root: { '--select-height': 'sizes.6' }, field: { textStyle: 'xs', ps: '1.5', pe: '6' }, indicator: { insetEnd: '1.5' } },
      sm: { root: { '--select-height': 'sizes.7' }, field: { textStyle: 'sm', ps: '2', pe: '7' }, indicator: { insetEnd: '2' } },
      md: { root: { '--select-height': 'sizes.8' }, field: { textStyle: 'sm', ps: '2.5', pe: '8' }, indicator: { insetEnd: '2' } },
      lg: { root: { '--select-height': 'sizes.10' }, field: { textStyle: 'md', ps: '3', pe: '8' }, indicator: { insetEnd: '2.5' } },
    },
    variant: { outline: {}, plain: { field: { bg: 'transparent', borderColor: 'transparent' } } },
  },
  defaultVariants: { size: 'md', variant: 'outline' },
})

export const fieldRecipe = defineSlotRecipe({
  className: 'tg-field',
  slots: ['root', 'label', 'requiredIndicator', 'errorText', 'helperText'],
  base: {
    root: { display: 'flex', width: '100%', position: 'relative', gap: '1' },
    label: { display: 'flex', alignItems: 'center', gap: '1', textStyle: 'label', color: 'text.strong', _disabled: { opacity: '0.5' } },
    requiredIndicator: { color: 'danger.fg', lineHeight: '1' },
    errorText: { display: 'inline-flex', alignItems: 'center', gap: '1', textStyle: 'xs', color: 'danger.fg' },
    helperText: { textStyle: 'xs', color: 'text.muted' },
  },
  variants: {
    orientation: {
      vertical: { root: { flexDirection: 'column', alignItems: 'flex-start' } },
      horizontal: { root: { flexDirection: 'row', alignItems: 'center', justifyContent: 'space-between', gap: '4' } },
    },
  },
  defaultVariants: { orientation: 'vertical' },
})

export const fieldsetRecipe = defineSlotRecipe({
  className: 'tg-fieldset',
  slots: ['root', 'content', 'legend', 'helperText', 'errorText'],
  base: {
    root: { display: 'flex', flexDirection: 'column', width: '100%', gap: '3' },
    content: { display: 'flex', flexDirection: 'column', width: '100%', gap: '4' },
    legend: { textStyle: 'section', color: 'text.strong' },
    helperText: { textStyle: 'xs', color: 'text.muted' },
    errorText: { textStyle: 'xs', color: 'danger.fg' },
  },
})
