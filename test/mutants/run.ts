import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { testServer } from '../support/postgres-server.ts'
import { EQUIVALENT } from './equivalent.ts'
import { allMutants } from './mutants.ts'
import { type MutantResult, Queue, type Suite } from './queue.ts'
import { MutantRunner } from './runner.ts'

/**
 * Removes one tenant condition or role check from the service at a time and runs the tests that reach it: one of them
 * must fail. `--only TEXT` selects the files of the service whose path contains it, and `--tests TEXT` those of the tests; both
 * may be repeated. `--gate` runs only the tests of `npm test`. Exits with 1 if a mutant survives.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    tests: { type: 'string', multiple: true, default: [] },
    gate: { type: 'boolean', default: false },
  },
})
const mutants = allMutants()
const chosen = mutants.filter(({ path }) => values.only.some((text) => path.includes(text)))
const server = await testServer()
process.env.TEST_DATABASE_URL = server.url
const runners = await Promise.all(
  Array.from({ length: availableParallelism() }, () => MutantRunner.open(values.gate ? 'gate' : 'all')),
)
try {
  const results: MutantResult[] = []
  const queue = new Queue(chosen, await readSuites(), (result) => {
    results.push(result)
    console.log(`${String(results.length).padStart(4)}/${chosen.length}  ${lineFor(result)}`)
  })
  await Promise.all(runners.map((runner) => queue.work(runner)))
  process.exitCode = summary(results) ? 0 : 1
} finally {
  for (const runner of runners) await runner.close()
  await server.stop()
}
process.exit()

/** Runs every file without a mutant and returns the mutants that each reaches. Throws if a test fails. */
async function readSuites(): Promise<readonly Suite[]> {
  const shares = await Promise.all(
    runners.map((runner, share) => runner.runClean(values.tests, share, runners.length)),
  )
  const files = shares.flat()
  if (files.length === 0) throw new Error('no test file has such a path')
  const [failed] = files.flatMap(({ failures }) => failures)
  if (failed) throw new Error(`without a mutant: ${failed.name}: ${failed.message}`)
  // Modules are loaded only once, by the first file: mutants reached then count for all files.
  const early = new Set(files.flatMap((one) => one.early))
  return files.map(({ file, reached }) => ({ file, reached: new Set([...reached, ...early]), early }))
}

function lineFor({ mutant, verdict, by }: MutantResult): string {
  const isListed = EQUIVALENT.has(mutant.key)
  if (isListed && verdict === 'lives') return `equivalent  ${mutant.key}`
  return `${isListed ? 'LISTED, AND ' : ''}${verdict}  ${mutant.key}\n           ${by}`
}

/** Prints a summary. Returns whether every result is as expected. */
function summary(results: readonly MutantResult[]): boolean {
  const isListed = ({ mutant }: MutantResult) => EQUIVALENT.has(mutant.key)
  const wrong = results.filter((result) => (isListed(result) ? 'lives' : 'caught') !== result.verdict)
  const gone = [...EQUIVALENT.keys()].filter((key) => !mutants.some((mutant) => mutant.key === key))
  const right = results.filter((result) => !wrong.includes(result))
  const equivalent = right.filter(isListed).length
  console.log(
    `${results.length} mutants: ${right.length - equivalent} caught, ${equivalent} equivalent, ${wrong.length} wrong`,
  )
  for (const result of wrong) console.error(lineFor(result))
  for (const key of gone) console.error(`listed as equivalent, and not there: ${key}`)
  return wrong.length === 0 && gone.length === 0
}
