import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { testServer } from '../support/postgres-server.ts'
import { EQUIVALENT } from './equivalent.ts'
import { Lane } from './lane.ts'
import { allMutants, type Mutant } from './mutants.ts'

/**
 * Takes one condition for the school, or one check of a role, out of the service at a time, and runs the tests that reach it:
 * one of them has to fail. `--only FILE` does so for files whose path has that in it. Ends with 1 where a mutant lives.
 */

/** A file of tests, which mutants it reaches, and how many of each folder it has caught. */
type Suite = {
  readonly file: string
  readonly reached: ReadonlySet<string>
  readonly caught: Map<string, number>
}
type Fate = {
  readonly mutant: Mutant
  readonly verdict: 'caught' | 'lives' | 'undecided'
  readonly by: string
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const mutants = allMutants()
const server = await testServer()
process.env.TEST_DATABASE_URL = server.url
const lanes = await Promise.all(Array.from({ length: availableParallelism() }, () => Lane.open()))
try {
  const suites = await passEverything(lanes[0] as Lane)
  const chosen = mutants.filter(({ path }) => path.includes(values.only ?? ''))
  const fates = await runAll(chosen, suites)
  // What the mutants have left in the databases must not be what failed.
  await Promise.all(lanes.map(passEverything))
  process.exitCode = summary(fates) ? 0 : 1
} finally {
  for (const lane of lanes) await lane.close()
  await server.stop()
}
process.exit()

/** Runs every file without a mutant. Throws if a test fails. */
async function passEverything(lane: Lane): Promise<readonly Suite[]> {
  const suites: Suite[] = []
  for (const file of await lane.files()) {
    const { reached, failures } = await lane.run(file, '')
    if (failures[0]) throw new Error(`without a mutant: ${failures[0].name}: ${failures[0].message}`)
    suites.push({ file, reached: new Set(reached), caught: new Map() })
  }
  return suites
}

/** Each lane takes the next mutant when it has done with one. */
async function runAll(chosen: readonly Mutant[], suites: readonly Suite[]): Promise<readonly Fate[]> {
  const fates: Fate[] = []
  const waiting = chosen.values()
  const work = async (lane: Lane) => {
    for (const mutant of waiting) {
      const fate = await fateOf(mutant, suites, lane)
      fates.push(fate)
      console.log(`${String(fates.length).padStart(4)}/${chosen.length}  ${lineFor(fate)}`)
    }
  }
  await Promise.all(lanes.map(work))
  return fates
}

/** Runs the files that reach the mutant until a test fails, first those that have caught most. */
async function fateOf(mutant: Mutant, suites: readonly Suite[], lane: Lane): Promise<Fate> {
  const folder = dirname(mutant.path)
  const caughtBy = ({ caught }: Suite) => caught.get(folder) ?? 0
  const reaching = suites
    .filter(({ reached }) => reached.has(mutant.key))
    .sort((a, b) => caughtBy(b) - caughtBy(a) || b.reached.size - a.reached.size)
  let undecided: string | undefined
  for (const suite of reaching) {
    const failed = await failureWith(mutant, suite, lane)
    if (failed?.isTimeout) undecided = failed.name
    if (!failed || failed.isTimeout) continue
    suite.caught.set(folder, caughtBy(suite) + 1)
    return { mutant, verdict: 'caught', by: failed.name }
  }
  if (undecided) return { mutant, verdict: 'undecided', by: undecided }
  return { mutant, verdict: 'lives', by: reaching.length === 0 ? 'no test reaches it' : 'no test fails' }
}

/** What fails with the mutant. A test that was too slow runs once more. */
async function failureWith({ key }: Mutant, { file }: Suite, lane: Lane) {
  const [first] = (await lane.run(file, key)).failures
  return first?.isTimeout ? (await lane.run(file, key)).failures[0] : first
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
  const right = fates.length - wrong.length
  const equivalent = fates.filter((fate) => isListed(fate) && !wrong.includes(fate)).length
  console.log(
    `${fates.length} mutants: ${right - equivalent} caught, ${equivalent} equivalent, ${wrong.length} wrong`,
  )
  for (const fate of wrong) console.error(lineFor(fate))
  for (const key of gone) console.error(`listed as equivalent, and not there: ${key}`)
  return wrong.length === 0 && gone.length === 0
}
