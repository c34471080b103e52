import { createSystem, defaultBaseConfig, defineConfig, defineKeyframes, defineLayerStyles } from '@chakra-ui/react'
import { buttonRecipe, fieldRecipe, fieldsetRecipe, inputRecipe, nativeSelectRecipe, textareaRecipe } from './recipes/controls.ts'
import {
  alertRecipe,
  badgeRecipe,
  codeRecipe,
  emptyStateRecipe,
  kbdRecipe,
  linkRecipe,
  progressCircleRecipe,
  progressRecipe,
  separatorRecipe,
  skeletonRecipe,
  spinnerRecipe,
  statRecipe,
  tableRecipe,
  tabsRecipe,
  tagRecipe,
} from './recipes/display.ts'
import { comboboxRecipe, dialogRecipe, drawerRecipe, menuRecipe, popoverRecipe, selectRecipe, tooltipRecipe } from './recipes/overlays.ts'
import { checkboxRecipe, checkmarkRecipe, radioGroupRecipe, radiomarkRecipe, switchRecipe } from './recipes/toggles.ts'
import { globalCss } from './global-css.ts'
import { semanticTokens } from './semantic-tokens.ts'
import { textStyles } from './text-styles.ts'
import { tokens } from './tokens.ts'

const keyframes = defineKeyframes({
  spin: { to: { transform: 'rotate(360deg)' } },
  pulse: { '50%': { opacity: '0.55' } },
  'fade-in': { from: { opacity: '0' } },
  'fade-out': { to: { opacity: '0' } },
  'slide-from-right': { from: { translate: '1rem 0' } },
  'slide-from-left': { from: { translate: '-1rem 0' } },
})

const layerStyles = defineLayerStyles({
  disabled: { value: { opacity: '0.5', cursor: 'not-allowed' } },
})

/** Base conditions and utilities from Chakra; tokens and recipes are ours. 600 px is the last mobile width. */
export const system = createSystem(
  defaultBaseConfig,
  defineConfig({
    cssVarsPrefix: 'tg',
    preflight: true,
    globalCss,
    theme: {
      breakpoints: { sm: '601px', md: '901px', lg: '1201px', xl: '1441px' },
      keyframes,
      layerStyles,
      tokens,
      semanticTokens,
      textStyles,
      recipes: {
        badge: badgeRecipe,
        button: buttonRecipe,
        checkmark: checkmarkRecipe,
        code: codeRecipe,
        input: inputRecipe,
        kbd: kbdRecipe,
        link: linkRecipe,
        radiomark: radiomarkRecipe,
        separator: separatorRecipe,
        skeleton: skeletonRecipe,
        spinner: spinnerRecipe,
        textarea: textareaRecipe,
      },
      slotRecipes: {
        alert: alertRecipe,
        checkbox: checkboxRecipe,
        combobox: comboboxRecipe,
        dialog: dialogRecipe,
        drawer: drawerRecipe,
        emptyState: emptyStateRecipe,
        field: fieldRecipe,
        fieldset: fieldsetRecipe,
        menu: menuRecipe,
        nativeSelect: nativeSelectRecipe,
        popover: popoverRecipe,
        progress: progressRecipe,
        progressCircle: progressCircleRecipe,
        radioGroup: radioGroupRecipe,
        select: selectRecipe,
        stat: statRecipe,
        switch: switchRecipe,
        table: tableRecipe,
        tabs: tabsRecipe,
        tag: tagRecipe,
        tooltip: tooltipRecipe,
      },
    },
  }),
)
