import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take a minute or more on two cores. If one ran last, the other core would be idle. CPU-bound files come
 * first, to run at the same time as those that mostly wait.
 */
const LONG = ['cli/backup', 'cli/watchdog', 'web/accessibility', 'web/others', 'web/long-session']

/** A sequencer that runs each project's long files first. Vitest sorts by size in a checkout without recorded durations. */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((one) => moduleId.endsWith(`/test/${one}.test.ts`))
      return at === -1 ? LONG.length : at
    }
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((a, b) => place(a) - place(b)),
    )
  }
}
