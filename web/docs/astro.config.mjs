import { readFileSync } from 'node:fs'
import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'

/** Written by scripts/docs-site, which also copies the pages of docs/ into src/content. */
const sidebar = JSON.parse(readFileSync(new URL('./sidebar.gen.json', import.meta.url), 'utf8'))

export default defineConfig({
  base: process.env.DOCS_BASE ?? '/docs',
  ...(process.env.DOCS_SITE === undefined ? {} : { site: process.env.DOCS_SITE }),
  trailingSlash: 'always',
  // The pictures are served as they are: no image library is needed.
  image: { service: passthroughImageService() },
  // Scripts are files, so that the policy of the control plane needs no exception.
  vite: { build: { assetsInlineLimit: 0 } },
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: { en: 'Tollgate', 'zh-CN': 'Tollgate' },
      description: 'A gateway for AI model APIs with a management console.',
      locales: { root: { label: 'English', lang: 'en' }, zh: { label: '简体中文', lang: 'zh-CN' } },
      defaultLocale: 'root',
      favicon: '/favicon.svg',
      customCss: ['./src/styles/site.css'],
      lastUpdated: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      sidebar,
    }),
  ],
})
