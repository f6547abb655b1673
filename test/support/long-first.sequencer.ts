import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * A minute and more on two cores: the last of them would keep one core, with nothing left for the other. What keeps a core busy
 * comes first, beside those that mostly wait.
 */
const LONG = ['cli/backup', 'cli/watchdog', 'web/accessibility', 'web/others', 'web/long-session']

/** In each project the long files first. A checkout that has run no test yet cannot know them: Vitest goes by size there. */
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
