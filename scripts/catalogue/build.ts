// Builds libs/providers/src/catalogue/ from two price catalogues on PyPI. A person starts it (`npm run catalogue`) and reviews the difference.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CatalogueModel } from '../../libs/contracts/src/models/model-catalogue.ts'
import { mergeCatalogues } from '../../libs/domain/src/model-catalogue/merge.ts'
import { readGenai, type GenaiModel } from '../../libs/domain/src/model-catalogue/read-genai.ts'
import { readLitellm } from '../../libs/domain/src/model-catalogue/read-litellm.ts'
import { decisions } from './decisions.ts'
import { renderQuestions } from './questions.ts'
import { GENAI, LITELLM } from './sources.ts'

const FILE = 'litellm/model_prices_and_context_window_backup.json'

const root = join(import.meta.dirname, '../..')
const target = join(root, 'libs/providers/src/catalogue')
const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))

try {
  const day = new Date().toISOString().slice(0, 10)
  const { models, questions } = mergeCatalogues(fetchLitellm(), readGenai(fetchGenai(), day), decisions)
  writeFileSync(join(target, 'models.gen.ts'), render(day, models))
  writeFileSync(join(root, 'docs/generated/catalogue-questions.md'), renderQuestions(day, models, questions, decisions))
  const priced = models.filter(({ prices }) => prices.length > 0)
  console.log(`${models.length} models, ${priced.length} with a price, ${questions.length} open questions`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 100_000_000, stdio: ['ignore', 'pipe', 'inherit'] })
}

function fetchLitellm(): CatalogueModel[] {
  run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, LITELLM])
  run('python3', ['-c', `import glob, zipfile; zipfile.ZipFile(glob.glob('litellm-*.whl')[0]).extract('${FILE}')`])
  // The file is an object of entries, each of which the reader checks.
  return readLitellm(JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Record<string, unknown>)
}

function fetchGenai(): GenaiModel[] {
  run('python3', ['-m', 'venv', 'venv'])
  run('venv/bin/pip', ['install', '--quiet', GENAI])
  // Written by extract_genai_prices.py.
  return JSON.parse(run('venv/bin/python', [join(import.meta.dirname, 'extract_genai_prices.py')])) as GenaiModel[]
}

/** One model to a line, so that a difference shows what changed. */
function render(day: string, models: readonly CatalogueModel[]): string {
  const sorted = models.toSorted((left, right) => (left.maker + left.name < right.maker + right.name ? -1 : 1))
  return [
    '// Written by `npm run catalogue`; do not edit. Prices that a person chose are in scripts/catalogue/decisions.ts.',
    "import type { ModelCatalogue } from '@tollgate/contracts/models/model-catalogue'",
    '',
    "const models: ModelCatalogue['models'] = [",
    ...sorted.map((model) => `  ${JSON.stringify(model)},`),
    ']',
    '',
    "/** Models of the makers' own APIs with today's prices, and known changes. */",
    `export const builtInCatalogue: ModelCatalogue = { format: 'tollgate-catalogue-1', date: '${day}', models }`,
    '',
  ].join('\n')
}
