import { numbersIn } from '../controls/cited.ts'
import { FAULTS, INVARIANTS } from '../controls/reliability.ts'
import { FOUND } from './found.ts'
import type { Injected } from './scene.ts'

/** The part of the output of Vitest's reporter that is used here. */
export type Results = {
  readonly startTime: number
  readonly testResults: readonly { readonly assertionResults: readonly Result[] }[]
}
type Result = {
  readonly title: string
  readonly fullName: string
  readonly ancestorTitles: readonly string[]
  readonly status: string
  readonly meta: { readonly injected?: Injected }
}

/** The machine and the versions that the figures belong to. */
export type Bench = Readonly<Record<'node' | 'cores' | 'memory' | 'system', string>>

const PREAMBLE = `# Reliability

The faults that were injected, how often, and the results. \`npm run report:reliability\` makes this page from the last run of
\`npm run test:faults\`, from which all figures are; \`FAULT_ROUNDS\` sets how often a fault is injected where that can be chosen.
`

const METHOD = `## How it is judged

Real processes, real databases. Eight clients book, move and delete lessons of one school while a fault is injected, each under a
key of its own, and record each response: acknowledged, refused by the rules, or none (503, or a broken connection). Afterwards
requests without a response are sent again under their keys, so that the state of every lesson is known. Then a judge compares the
stored data with the responses, and the doctor checks all rules and invariants again.

The judge is tested, too: after each of these runs it gets the same state falsified in nine ways (a lesson lost, a
move forgotten, an instructor or student booked twice, a row that nobody asked for, a lesson that the API hides, a log cut off, a secret in the
log, a finding of the doctor), and has to find each. The doctor's own tests harm databases in every way that it knows.
`

/** Returns the report as stored in the repository. */
export function reportOf({ startTime, testResults }: Results, bench: Bench): string {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const rows = Object.entries(FAULTS.promises).map(([number, promise]) => rowOf(number, promise, results))
  const failed = results.filter(({ status }) => status !== 'passed')
  return [
    PREAMBLE,
    `The run of ${new Date(startTime).toISOString().slice(0, 16).replace('T', ' ')} UTC, on ${bench.cores} cores and ${bench.memory}, ${bench.system}, Node.js ${bench.node}, with ${roundsOf(results)} rounds of what can be repeated: ${totalsOf(results)}\n`,
    ...(failed.length > 0
      ? ['Failed or not run:\n', ...failed.map(({ fullName }) => `- ${fullName}`), '']
      : []),
    METHOD,
    '## Faults\n',
    '| | promise | injected | acknowledged | refused | without answer | tests |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '## Invariants\n',
    ...Object.entries(INVARIANTS.promises).map(([number, promise]) => `- ${number}: ${promise}`),
    '',
    '## What this has found\n',
    ...FOUND.map(({ fault, found, mended }) => `- ${fault}: ${found} ${mended}`),
    '',
  ].join('\n')
}

function roundsOf(results: readonly Result[]): number {
  return Math.max(...results.map(({ meta }) => meta.injected?.rounds ?? 0))
}

function totalsOf(results: readonly Result[]): string {
  const sum = (of: keyof Injected) =>
    results.reduce((total, { meta }) => total + Number(meta.injected?.[of] ?? 0), 0).toLocaleString('en')
  const passed = results.filter(({ status }) => status === 'passed').length
  return `${passed} of ${results.length} tests passed. Under load ${sum('acknowledged')} requests were acknowledged, ${sum('refused')} refused and ${sum('unavailable')} not answered${passed === results.length ? '; none that was acknowledged is lost, and none was done twice' : ''}. ${sum('falsified')} falsified states were found wrong.`
}

function rowOf(number: string, promise: string, results: readonly Result[]): string {
  const own = results.filter(({ title, ancestorTitles }) =>
    [title, ...ancestorTitles].some((one) => numbersIn(one).includes(number)),
  )
  if (own.length === 0) return `| ${number} | ${promise} | no test in this run | | | | |`
  const told = own.flatMap(({ meta }) => (meta.injected ? [meta.injected] : []))
  const sum = (of: 'acknowledged' | 'refused' | 'unavailable') =>
    told.some((one) => one[of] !== undefined) ? told.reduce((total, one) => total + (one[of] ?? 0), 0) : ''
  const injected = told.map((one) => `${one.injected} ${one.what}`)
  const once = own.length - told.length
  const all = [...injected, ...(once > 0 ? [`${once} ${once === 1 ? 'situation' : 'situations'}`] : [])].join(
    '; ',
  )
  const outcome = own.every(({ status }) => status === 'passed') ? `${own.length} passed` : '**failed**'
  return `| ${number} | ${promise} | ${all} | ${sum('acknowledged')} | ${sum('refused')} | ${sum('unavailable')} | ${outcome} |`
}
