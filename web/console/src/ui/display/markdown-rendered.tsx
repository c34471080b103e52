import { Box, chakra, type SystemStyleObject } from '@chakra-ui/react'
import { memo, startTransition, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CopyButton } from './copy-button.tsx'
import { codeOf, codePieces, nextCount, sectionsOf, type Block } from './markdown-blocks.ts'
import { rehypeColours } from './markdown-colours.ts'
import type { MathPlugins } from './markdown-math.ts'
import { mayHaveMath, withDollars } from './math-text.ts'
import { RemoteImage } from './remote-image.tsx'
import { useFarAway } from './use-far-away.ts'

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
  img: ({ src, alt }) => (typeof src === 'string' && src !== '' ? <RemoteImage src={src} {...(alt === undefined ? {} : { alt })} /> : null),
  pre: ({ children, node }) => <CodePanel code={node === undefined ? '' : textOf(node)}>{children}</CodePanel>,
  table: ({ children }) => (
    <Box overflowX="auto" tabIndex={0} role="region" focusVisibleRing="inside" mb="3">
      <table>{children}</table>
    </Box>
  ),
}

// Sanitised first: the highlighter adds classes to what is left.
const REHYPE = [rehypeSanitize, rehypeColours]
const REMARK = [remarkGfm]

/** Markdown as elements; HTML in it is shown as text, and only links, images and marks that cannot run anything are made. */
export function MarkdownRendered({ blocks }: { readonly blocks: readonly Block[] }): ReactNode {
  const shown = useGrowing(blocks)
  return (
    <chakra.div css={CSS}>
      {sectionsOf(blocks.slice(0, shown)).map((section) =>
        section.kind === 'code' ? (
          <LongCode key={section.start} fence={section.texts.join('')} />
        ) : (
          <Section key={section.start} texts={section.texts} />
        ),
      )}
    </chakra.div>
  )
}

/** How many blocks are drawn: a few more with each frame, so that no frame has to draw a long text as a whole. */
function useGrowing(blocks: readonly Block[]): number {
  const [shown, setShown] = useState(() => nextCount(blocks, 0))
  const isWhole = shown >= blocks.length
  useEffect(() => {
    if (isWhole) return undefined
    const frame = requestAnimationFrame(() => startTransition(() => setShown(nextCount(blocks, shown))))
    return () => cancelAnimationFrame(frame)
  }, [blocks, shown, isWhole])
  return shown
}

/** Far from the view it is its text alone, which takes a fraction of the memory. */
const Section = memo(
  function Section({ texts }: { readonly texts: readonly string[] }): ReactNode {
    const { box, heightFarAway } = useFarAway()
    const isFar = heightFarAway !== undefined
    return (
      <div data-section ref={box} style={isFar ? { height: heightFarAway, overflow: 'hidden' } : undefined}>
        {isFar ? texts.join('') : texts.map((text, at) => <MarkdownBlock key={at} text={text} />)}
      </div>
    )
  },
  (before, after) => before.texts.length === after.texts.length && before.texts.every((text, at) => text === after.texts[at]),
)

/** Drawn again only when its own text changes. */
const MarkdownBlock = memo(function MarkdownBlock({ text }: { readonly text: string }): ReactNode {
  const math = useMath(mayHaveMath(text))
  return (
    <ReactMarkdown
      components={COMPONENTS}
      rehypePlugins={math === undefined ? REHYPE : [...REHYPE, ...math.rehype]}
      remarkPlugins={math === undefined ? REMARK : [...REMARK, ...math.remark]}
    >
      {math === undefined ? text : withDollars(text)}
    </ReactMarkdown>
  )
})

let loadedMath: MathPlugins | undefined

/** The plugins for formulas, fetched when a text needs them first. */
function useMath(isNeeded: boolean): MathPlugins | undefined {
  const [plugins, setPlugins] = useState(loadedMath)
  useEffect(() => {
    if (!isNeeded || plugins !== undefined) return
    void import('./markdown-math.ts').then(({ MATH }) => {
      loadedMath = MATH
      setPlugins(MATH)
    })
  }, [isNeeded, plugins])
  return isNeeded ? plugins : undefined
}

function CodePanel({ code, children }: { readonly code: string; readonly children: ReactNode }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Box position="relative" mb="3">
      <Box position="absolute" top="1" insetEnd="1" bg="subtle" borderRadius="sm" zIndex="1">
        <CopyButton text={code} />
      </Box>
      <pre tabIndex={0} aria-label={t('markdown.code')}>
        {children}
      </pre>
    </Box>
  )
}

/** Characters of code that are laid out together. */
const PIECE = 4_000

/** Without colours: they would take longer than a frame. */
const LongCode = memo(function LongCode({ fence }: { readonly fence: string }): ReactNode {
  const code = codeOf(fence)
  return (
    <CodePanel code={code}>
      {codePieces(code, PIECE).map((piece, at) => (
        <CodePiece key={at} text={piece} />
      ))}
    </CodePanel>
  )
})

const CodePiece = memo(function CodePiece({ text }: { readonly text: string }): ReactNode {
  return <code data-section>{text}</code>
})

type HastNode = { readonly type: string; readonly value?: string; readonly children?: readonly HastNode[] }

function textOf(node: HastNode): string {
  return node.type === 'text' ? (node.value ?? '') : (node.children ?? []).map(textOf).join('')
}

const CSS: SystemStyleObject = {
  overflowWrap: 'anywhere',
  lineHeight: '1.6',
  color: 'text',
  '& > [data-section]:last-child > :last-child': { mb: '0' },
  '& [data-section]': { contentVisibility: 'auto', containIntrinsicSize: 'auto 8rem' },
  '& pre > [data-section]': { display: 'block' },
  '& h1, & h2, & h3, & h4, & h5, & h6': { color: 'text.strong', fontWeight: '600', lineHeight: '1.3', mt: '5', mb: '2' },
  '& > :first-child > h1:first-child, & > :first-child > h2:first-child, & > :first-child > h3:first-child': { mt: '0' },
  '& h1': { fontSize: 'xl' },
  '& h2': { fontSize: 'lg' },
  '& p, & ul, & ol, & blockquote': { mb: '3' },
  '& ul': { listStyle: 'disc', ps: '6' },
  '& ol': { listStyle: 'decimal', ps: '6' },
  '& li > ul, & li > ol': { mb: '0' },
  '& .contains-task-list': { listStyle: 'none', ps: '1' },
  '& a': { color: 'accent.fg', textDecoration: 'underline', borderRadius: 'xs', focusVisibleRing: 'outside' },
  '& strong': { color: 'text.strong', fontWeight: '600' },
  '& em': { fontStyle: 'italic' },
  '& blockquote': { borderInlineStartWidth: '3px', borderColor: 'border.strong', ps: '3', color: 'text.muted' },
  '& .katex-display': { overflowX: 'auto', overflowY: 'hidden', py: '1' },
  '& hr': { borderColor: 'border', my: '4' },
  '& img': { maxW: 'full', borderRadius: 'control' },
  '& table': { borderCollapse: 'collapse', textStyle: 'sm' },
  '& th, & td': { borderWidth: '1px', borderColor: 'border', px: '2.5', py: '1.5', textAlign: 'start' },
  '& th': { bg: 'subtle', fontWeight: '600', color: 'text.strong' },
  '& code': { fontFamily: 'mono', fontSize: '0.9em' },
  '& :not(pre) > code': { bg: 'subtle', borderRadius: 'xs', px: '1' },
  '& pre': {
    bg: 'subtle',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'control',
    px: '3',
    py: '2.5',
    overflowX: 'auto',
    lineHeight: '1.5',
    color: 'text.strong',
    focusVisibleRing: 'inside',
  },
  '& .hljs-comment, & .hljs-quote, & .hljs-meta': { color: 'text.muted' },
  '& .hljs-keyword, & .hljs-literal, & .hljs-selector-tag': { color: 'orange.fg' },
  '& .hljs-string, & .hljs-regexp, & .hljs-addition': { color: 'success.fg' },
  '& .hljs-number, & .hljs-symbol, & .hljs-link': { color: 'violet.fg' },
  '& .hljs-title, & .hljs-section, & .hljs-name, & .hljs-attr, & .hljs-attribute': { color: 'accent.fg' },
  '& .hljs-type, & .hljs-built_in, & .hljs-variable, & .hljs-template-variable': { color: 'info.fg' },
  '& .hljs-deletion': { color: 'danger.fg' },
}
