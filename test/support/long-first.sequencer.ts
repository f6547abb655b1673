import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Half a minute and more on two cores: the last of them would keep one core, with nothing left for the other. */
const LONG = [
  'cli/watchdog',
  'cli/backup',
  'cli/demo',
  'web/accessibility',
  'web/others',
  'web/long-session',
  'web/progress',
  'web/find',
  'web/today-offline',
  'web/idle-tab',
]

/** In each project the long files first. A checkout that has run no test yet cannot know them: Vitest goes by size there. */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG.some((one) => moduleId.endsWith(`/test/${one}.test.ts`))
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))]
    })
  }
}
