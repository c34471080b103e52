// The rules of every floors.json: the folders (and single files) of one package from top to bottom. An import goes down; folders on one
// floor do not import each other unless `siblings` lists it. Type imports count.

const { existsSync, readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

/** The packages with a floors.json beside their package.json. */
function listPackagesWithFloors(root = '.') {
  return ['libs', 'services', 'web', 'deploy'].flatMap((group) =>
    (existsSync(join(root, group)) ? readdirSync(join(root, group)) : [])
      .map((name) => `${group}/${name}`)
      .filter((path) => existsSync(join(root, path, 'floors.json'))),
  )
}

function readFloors(path, root = '.') {
  const { floors, siblings = {} } = JSON.parse(readFileSync(join(root, path, 'floors.json'), 'utf8'))
  return { floors: floors.map((floor) => [floor].flat()), siblings }
}

/** Matches the files of a folder, without those of a folder inside it. */
function patternOf(folder, folders) {
  if (folder.endsWith('.ts')) return `${folder.replaceAll('.', '[.]')}$`
  const inner = folders.filter((other) => other.startsWith(`${folder}/`)).map((other) => other.slice(folder.length + 1))
  const without = inner.map((other) => (other.endsWith('.ts') ? `${other.replaceAll('.', '[.]')}$` : `${other}/`))
  return `${folder}/${without.length === 0 ? '' : `(?!${without.join('|')})`}`
}

function rulesOf(path, tests, root) {
  const { floors, siblings } = readFloors(path, root)
  const folders = floors.flat()
  const matching = (some) => `^${path}/src/(?:${some.map((folder) => patternOf(folder, folders)).join('|')})`
  const name = path.replace('/', '-')
  const up = floors.slice(1).flatMap((floor, below) =>
    floor.map((folder) => ({
      name: `floors-${name}`,
      comment: `Fix: an import goes down the floors of ${path}/floors.json. Move what both need to the lower folder, or pass it as an argument.`,
      severity: 'error',
      from: { path: matching([folder]), pathNot: tests },
      to: { path: matching(floors.slice(0, below + 1).flat()) },
    })),
  )
  const beside = floors.flatMap((floor) =>
    floor.map((folder) => ({ folder, refused: floor.filter((other) => other !== folder && !(siblings[folder] ?? []).includes(other)) })),
  )
  const between = beside
    .filter(({ refused }) => refused.length > 0)
    .map(({ folder, refused }) => ({
      name: `siblings-${name}`,
      comment: `Fix: folders on one floor of ${path}/floors.json do not import each other. Move what both need to a lower folder, or list the import in "siblings".`,
      severity: 'error',
      from: { path: matching([folder]), pathNot: tests },
      to: { path: matching(refused) },
    }))
  const unlisted = {
    name: `unlisted-${name}`,
    comment: `Fix: give this folder its place in ${path}/floors.json, from top to bottom.`,
    severity: 'error',
    from: { path: `^${path}/src/`, pathNot: [matching(folders), tests] },
    to: { path: '' },
  }
  return [...up, ...between, unlisted]
}

/** The rules of all packages that have floors. `tests`: files that may import everything. */
function floorRules(tests, root = '.') {
  return listPackagesWithFloors(root).flatMap((path) => rulesOf(path, tests, root))
}

module.exports = { floorRules, listPackagesWithFloors, readFloors }
