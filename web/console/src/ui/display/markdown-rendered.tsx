import { Box, chakra, type SystemStyleObject } from '@chakra-ui/react'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeHighlight from 'rehype-highlight'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CopyButton } from './copy-button.tsx'

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
  pre: ({ children, node }) => <CodePanel code={node === undefined ? '' : textOf(node)}>{children}</CodePanel>,
  table: ({ children }) => (
    <Box overflowX="auto" tabIndex={0} role="region" mb="3">
      <table>{children}</table>
    </Box>
  ),
}

// Sanitised first: the highlighter adds classes to what is left.
const REHYPE = [rehypeSanitize, rehypeHighlight]
const REMARK = [remarkGfm]

/** Markdown as elements; HTML in it is shown as text, and only links, images and marks that cannot run anything are made. */
export const MarkdownRendered = memo(function MarkdownRendered({ text }: { readonly text: string }): ReactNode {
  return (
    <chakra.div css={CSS}>
      <ReactMarkdown components={COMPONENTS} rehypePlugins={REHYPE} remarkPlugins={REMARK}>
        {text}
      </ReactMarkdown>
    </chakra.div>
  )
})

function CodePanel({ code, children }: { readonly code: string; readonly children: ReactNode }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Box position="relative" mb="3">
      <Box position="absolute" top="1" insetEnd="1" bg="subtle" borderRadius="sm">
        <CopyButton text={code} />
      </Box>
      <pre tabIndex={0} aria-label={t('markdown.code')}>
        {children}
      </pre>
    </Box>
  )
}

type HastNode = { readonly type: string; readonly value?: string; readonly children?: readonly HastNode[] }

function textOf(node: HastNode): string {
  return node.type === 'text' ? (node.value ?? '') : (node.children ?? []).map(textOf).join('')
}

const CSS: SystemStyleObject = {
  overflowWrap: 'anywhere',
  lineHeight: '1.6',
  color: 'text',
  '& > :last-child': { mb: '0' },
  '& h1, & h2, & h3, & h4, & h5, & h6': { color: 'text.strong', fontWeight: '600', lineHeight: '1.3', mt: '5', mb: '2' },
  '& h1:first-child, & h2:first-child, & h3:first-child': { mt: '0' },
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
