import type { Chapter } from './chapter.ts'
import { type CitingTest, citingTests } from './cited.ts'
import { WITHOUT_TEST } from './exceptions.ts'
import { FAULTS, INVARIANTS, RACES } from './reliability.ts'
import { SECURITY } from './security.ts'

/** The document that is made from the promises and the titles of the tests. */
export const CONTROLS_DOCUMENT = 'docs/controls.md'

export const ALL_CHAPTERS: readonly Chapter[] = [...SECURITY, FAULTS, INVARIANTS, RACES]

const PREAMBLE = `# What is promised, and which test shows it

Made by \`npm run controls\` from the promises in \`test/controls/\` and the titles of the tests, which cite them by number. A test
fails where this page is stale, where a number has neither test nor reason, and where a test cites a number that is not here.
A title of a group stands for all tests in it.
`

/** The whole text, as it is to stand in the repository. */
export function controlsDocument(): string {
  const tests = citingTests()
  const shown = SECURITY.flatMap(({ promises }) => Object.keys(promises)).map((number) =>
    tests.some(({ numbers }) => numbers.includes(number)),
  )
  const summary = `Security: ${shown.length} promises, ${shown.filter(Boolean).length} of them shown by a test.\n`
  return [PREAMBLE, summary, ...ALL_CHAPTERS.map((chapter) => sectionOf(chapter, tests))].join('\n')
}

function sectionOf({ title, promises }: Chapter, tests: readonly CitingTest[]): string {
  const rows = Object.entries(promises).map(
    ([number, promise]) => `| ${number} | ${promise} | ${evidenceOf(number, tests)} |`,
  )
  return [`## ${title}`, '', '| | promise | shown by |', '|---|---|---|', ...rows, ''].join('\n')
}

function evidenceOf(number: string, tests: readonly CitingTest[]): string {
  const citing = tests.filter(({ numbers }) => numbers.includes(number))
  const files = [...new Set(citing.map(({ path }) => path))].map((path) => {
    const titles = citing
      .filter((test) => test.path === path)
      .map(({ title }) => title.replaceAll('|', '\\|'))
    return `\`${path}\`: ${titles.join(' · ')}`
  })
  const reason = WITHOUT_TEST[number]
  return [...files, ...(reason ? [`no test: ${reason}`] : [])].join('<br>')
}
