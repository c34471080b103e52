import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { site } from './pages.ts'

const folder = join(site, 'dist')

/**
 * Moves scripts out of the pages, so that they run under `script-src 'self'`, makes tables reachable by the keyboard, which scrolls them,
 * and compresses what the control plane serves.
 */
export function finish(base: string): void {
  for (const file of globSync('**/*.html', { cwd: folder })) {
    const html = readFileSync(join(folder, file), 'utf8')
    const changed = html
      .replace(/<script([^>]*)>([\s\S]*?)<\/script>/g, (whole, attributes: string, script: string) =>
        script === '' || /type="(?!module)/.test(attributes)
          ? whole
          : `<script${attributes} src="${base}/${writeScript(script)}"></script>`,
      )
      .replaceAll('<table>', '<table tabindex="0">')
    if (changed !== html) writeFileSync(join(folder, file), changed)
  }
  for (const file of globSync('**/*.{html,js,css,json,svg}', { cwd: folder })) compress(join(folder, file))
}

function writeScript(script: string): string {
  const name = `_astro/inline.${createHash('sha256').update(script).digest('hex').slice(0, 12)}.js`
  mkdirSync(join(folder, '_astro'), { recursive: true })
  writeFileSync(join(folder, name), script)
  return name
}

function compress(path: string): void {
  const bytes = readFileSync(path)
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
  writeFileSync(`${path}.gz`, gzipSync(bytes))
}
