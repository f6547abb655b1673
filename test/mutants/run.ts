import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { testServer } from '../support/postgres-server.ts'
import { EQUIVALENT } from './equivalent.ts'
import { Lane } from './lane.ts'
import { allMutants } from './mutants.ts'
import { type Fate, Queue, type Suite } from './queue.ts'

/**
 * Takes one condition for the school, or one check of a role, out of the service at a time, and runs the tests that reach it:
 * one of them has to fail. `--only TEXT`, which may repeat, does so for files whose path has that in it,
 * `--gate` with the tests of `npm test` alone. Ends with 1 where a mutant lives.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    gate: { type: 'boolean', default: false },
  },
})
const mutants = allMutants()
const chosen = mutants.filter(({ path }) => values.only.some((text) => path.includes(text)))
const server = await testServer()
process.env.TEST_DATABASE_URL = server.url
const lanes = await Promise.all(
  Array.from({ length: availableParallelism() }, () => Lane.open(values.gate ? 'gate' : 'all')),
)
try {
  const fates: Fate[] = []
  const queue = new Queue(chosen, await readSuites(lanes[0] as Lane), (fate) => {
    fates.push(fate)
    console.log(`${String(fates.length).padStart(4)}/${chosen.length}  ${lineFor(fate)}`)
  })
  await Promise.all(lanes.map((lane) => queue.work(lane)))
  process.exitCode = summary(fates) ? 0 : 1
} finally {
  for (const lane of lanes) await lane.close()
  await server.stop()
}
process.exit()

/** Runs every file without a mutant. Throws if a test fails. */
async function readSuites(lane: Lane): Promise<readonly Suite[]> {
  const files = await lane.runClean()
  const [failed] = files.flatMap(({ failures }) => failures)
  if (failed) throw new Error(`without a mutant: ${failed.name}: ${failed.message}`)
  // Modules loaded once were reached by the first file, and apply to all.
  const early = new Set(files.flatMap((one) => one.early))
  return files.map(({ file, reached }) => ({ file, reached: new Set([...reached, ...early]), early }))
}

function lineFor({ mutant, verdict, by }: Fate): string {
  const isListed = EQUIVALENT.has(mutant.key)
  if (isListed && verdict === 'lives') return `equivalent  ${mutant.key}`
  return `${isListed ? 'LISTED, AND ' : ''}${verdict}  ${mutant.key}\n           ${by}`
}

/** Says what has come of it; whether all is well. */
function summary(fates: readonly Fate[]): boolean {
  const isListed = ({ mutant }: Fate) => EQUIVALENT.has(mutant.key)
  const wrong = fates.filter((fate) => (isListed(fate) ? 'lives' : 'caught') !== fate.verdict)
  const gone = [...EQUIVALENT.keys()].filter((key) => !mutants.some((mutant) => mutant.key === key))
  const right = fates.filter((fate) => !wrong.includes(fate))
  const equivalent = right.filter(isListed).length
  console.log(
    `${fates.length} mutants: ${right.length - equivalent} caught, ${equivalent} equivalent, ${wrong.length} wrong`,
  )
  for (const fate of wrong) console.error(lineFor(fate))
  for (const key of gone) console.error(`listed as equivalent, and not there: ${key}`)
  return wrong.length === 0 && gone.length === 0
}
