import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest. If one ran last, the other core would be idle. CPU-bound files come
 * first, to run at the same time as those that mostly wait.
 */
const LONG = [
  'cli/backup',
  'cli/watchdog',
  'web/accessibility',
  'web/others',
  'web/long-session',
  'web/setup',
  'web/trainings',
  'web/counts',
  'web/planning',
  'web/phone',
]

/** The files that mostly wait for timeouts of the service. Beside each other, they would leave the cores idle. */
const WAITING = [
  'db/held-locks',
  'security/held-answers',
  'db/refused-late',
  'security/slow-clients',
  'security/ended-reading',
]

/** A sequencer that runs each project's long files first. Vitest sorts by size in a checkout without recorded durations. */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => orderOf(sorted.filter((file) => file.project === project)))
  }
}

function orderOf(files: readonly TestSpecification[]): TestSpecification[] {
  const [long, waiting] = [named(files, LONG), named(files, WAITING)]
  const others = files.filter((file) => !long.includes(file) && !waiting.includes(file))
  return [...long, ...spreadEvenly(waiting, others)]
}

/** Returns the files with these names, in the order of the names. */
function named(files: readonly TestSpecification[], names: readonly string[]): TestSpecification[] {
  return names.flatMap((name) => files.filter(({ moduleId }) => moduleId.endsWith(`/test/${name}.test.ts`)))
}

/** Returns all files, with one of the few before each of as many equal parts of the others. */
function spreadEvenly<T>(few: readonly T[], others: readonly T[]): T[] {
  if (few.length === 0) return [...others]
  const part = Math.ceil(others.length / few.length)
  return few.flatMap((one, index) => [one, ...others.slice(index * part, (index + 1) * part)])
}
