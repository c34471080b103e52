// Renders the Mermaid diagrams of the pages as SVG while the site is built, so that no page needs a script for them.
import { renderMermaidSVG } from 'beautiful-mermaid'

/** The colours follow the theme of the page, which has them as variables. */
export const renderDiagram = (source) =>
  renderMermaidSVG(source, { bg: 'var(--sl-color-bg)', fg: 'var(--sl-color-text)', transparent: true })
