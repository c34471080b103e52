// Published coding agents against a real relay, with scripted vendors: `npm run clients:agents [agent]`.
// - turns: each agent reads a file with its own tool, writes one in a second turn and answers in a third, on strict vendors of every
//   format; each turn is a process that resumes the session of the last one.
// - refusals: what each agent does with each refusal of the gateway: requests, seconds, printed words.
// - overflow: a conversation that outgrows the model's context, in the words of each vendor.
import { readCommandLine } from '../../support/command-line.ts'
import { requireTool, runClients } from '../tools.ts'
import { AGENTS } from './agents.ts'
import { runOverflow } from './overflow.ts'
import { runRefusals } from './refusals.ts'
import { runTurns } from './turns.ts'

const PARTS = { turns: runTurns, refusals: runRefusals, overflow: runOverflow } as const

const { positionals: wanted, values } = readCommandLine({
  command: 'npm run clients:agents --',
  about: `Runs published coding agents through the relay: all, or those that are named (${AGENTS.map(({ name }) => name).join(', ')}).`,
  example: `npm run clients:agents -- --part turns ${AGENTS[0]?.name}`,
  options: { part: { type: 'string', about: `only this part: ${Object.keys(PARTS).join(', ')}` } },
  allowPositionals: true,
})

await runClients(async () => {
  await requireTool('npx', ['--version'], 'clients:agents')
  const agents = AGENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const failures: string[] = []
  for (const [name, runPart] of Object.entries(PARTS)) {
    if (values.part !== undefined && values.part !== name) continue
    console.log(`\n${name}`)
    failures.push(...(await runPart(agents)))
  }
  console.log(failures.length === 0 ? '\nclients:agents passed' : `\nclients:agents failed: ${failures.join(', ')}`)
  return failures.length === 0
})
