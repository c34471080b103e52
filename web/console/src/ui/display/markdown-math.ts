import 'katex/dist/katex.min.css'
import type { Options } from 'react-markdown'
import rehypeKatex from 'rehype-katex'
import remarkMath from 'remark-math'

type Plugins = NonNullable<Options['remarkPlugins']>

export type MathPlugins = { readonly remark: Plugins; readonly rehype: Plugins }

/** Plugins that read and draw formulas. A formula that is wrong is shown as it was written. */
export const MATH: MathPlugins = {
  remark: [[remarkMath, { singleDollarTextMath: false }]],
  rehype: [[rehypeKatex, { strict: 'ignore', maxSize: 20, maxExpand: 200, errorColor: 'currentColor' }]],
}
