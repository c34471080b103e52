import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator } from 'playwright-core'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

/** Content of one client's tab: code blocks as they are, fields by name. */
export type ShownSnippet = { readonly code: readonly string[]; readonly fields: Readonly<Record<string, string>> }

/** Opens every tab of the shown snippets; both languages of an SDK are named `OpenAI SDK Node`. */
export async function readSnippets(dialog: Locator): Promise<ReadonlyMap<string, ShownSnippet>> {
  const shown = new Map<string, ShownSnippet>()
  const read = async (panel: Locator): Promise<ShownSnippet> => {
    const names = await panel.locator('dt').allInnerTexts()
    const values = await panel.locator('dd:nth-child(2)').allInnerTexts()
    return {
      code: await panel.locator('pre').allTextContents(),
      fields: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])),
    }
  }
  for (const tab of await dialog.getByRole('tab').all()) {
    await tab.click()
    const client = await tab.innerText()
    // Its own panel: for a moment the one before may still be shown.
    const panel = dialog.getByRole('tabpanel', { name: client, exact: true })
    await panel.waitFor()
    const languages = await panel.getByRole('button', { name: /^(Python|Node)$/ }).all()
    if (languages.length === 0) shown.set(client, await read(panel))
    for (const language of languages) {
      await language.click()
      shown.set(`${client} ${await language.innerText()}`, await read(panel))
    }
  }
  return shown
}

/** Runs a shell snippet and gives what it prints. */
export async function runShell(code: string): Promise<string> {
  const { stdout } = await run('bash', ['-c', code], { timeout: 30_000 })
  return stdout
}

/** Runs a snippet as the .mjs file that its note asks for, with the SDKs of this repository. */
export async function runNode(code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-snippet-'))
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'snippet.mjs'), code)
    const { stdout } = await run(process.execPath, ['snippet.mjs'], { cwd: folder, timeout: 60_000 })
    return stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The text in quotes after a name, in Python, TOML or JSON. */
export function quotedAfter(code: string, name: string): string {
  const found = new RegExp(String.raw`\b${name}"?\s*[=:]\s*("[^"]*")`).exec(code)?.[1]
  if (found === undefined) throw new Error(`no ${name} in ${code}`)
  return JSON.parse(found) as string // what the pattern matched is a JSON string
}

/** Sends a JSON body and gives the answer's text; throws unless it is 200. */
export async function post(url: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text}`)
  return text
}
