import { defineGlobalStyles } from '@chakra-ui/react'

export const globalCss = defineGlobalStyles({
  '*': { '--global-font-mono': 'fonts.mono', '--global-font-body': 'fonts.body', '--global-color-border': 'colors.border' },
  html: {
    color: 'text',
    bg: 'canvas',
    colorPalette: 'accent',
    fontFamily: 'body',
    fontSize: '16px',
    lineHeight: 'normal',
    textRendering: 'optimizeLegibility',
    colorScheme: 'light',
    scrollbarColor: '{colors.border.strong} transparent',
    _dark: { colorScheme: 'dark' },
  },
  'html.dark': { colorScheme: 'dark' },
  'code, pre, kbd, samp': { fontVariantLigatures: 'none' },
  body: { textStyle: 'md', minHeight: '100dvh' },
  // A printed page is its content: no bars, menus and buttons.
  'header, nav, footer, [data-no-print]': { _print: { display: 'none !important' } },
  '*::placeholder, *[data-placeholder]': { color: 'text.muted', opacity: '1' },
  '*::selection': { bg: 'accent.border', color: 'text.strong' },
  '*, *::before, *::after': {
    _motionReduce: {
      animationDuration: '0.01ms !important',
      animationIterationCount: '1 !important',
      transitionDuration: '0.01ms !important',
      scrollBehavior: 'auto !important',
    },
  },
})
