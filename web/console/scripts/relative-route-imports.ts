import { basename } from 'node:path'
import type { Plugin } from 'vite'

/**
 * The router's plugin splits a route into files that import each other by absolute paths. The bundler weighs modules by the length of
 * their code when it merges small chunks, so the same commit would be cut differently in another folder, to routes four times as large.
 */
export function relativeRouteImports(): Plugin {
  return {
    name: 'tollgate:relative-route-imports',
    enforce: 'post',
    transform(code, id) {
      const [file = id] = id.split('?', 1)
      if (!file.includes('/src/routes/') || !code.includes(`"${file}`)) return null
      return { code: code.replaceAll(`"${file}`, `"./${basename(file)}`), map: null }
    },
  }
}
