import { numbersIn } from '../controls/cited.ts'
import { FAULTS, INVARIANTS } from '../controls/reliability.ts'
import { FOUND } from './found.ts'
import type { Injected } from './scene.ts'

/** What vitest's reporter writes, as far as it is read here. */
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

What has been injected, how often, and what came of it. Made by \`npm run report:reliability\` from what the last
\`npm run test:faults\` has told; \`FAULT_ROUNDS\` says how often a fault is injected where that can be chosen. All figures are of that
one run.
`

const METHOD = `## How it is judged

Real processes, real databases. Eight clients book, move and delete lessons of one school while a fault is injected, each under a
key of its own, and note what they were told: acknowledged, refused by the rules, or not answered (503, or a connection that
broke). Afterwards what got no answer is sent again under its key, so that every lesson is known. Then a judge compares what is stored
with what clients know, and the doctor asks all rules and invariants again.

The judge is not believed either: after each of these runs it is handed the same state made wrong in nine ways (a lesson lost, a
move forgotten, an instructor or student booked twice, a row that nobody asked for, a lesson that the API hides, a log cut off, a secret in the
log, a finding of the doctor), and has to find each. The doctor's own tests harm databases in every way that it knows.
`

/** The report as it stands in the repository. */
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
