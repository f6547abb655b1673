import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../support/process.ts'
import { reportOf } from './report.ts'
import { RESULTS } from './results.ts'

const REPORT = 'docs/reliability.md'

const bench = {
  node: process.versions.node,
  cores: String(availableParallelism()),
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  system: `${type()} ${release().split('-')[0]}`,
}

writeFileSync(join(ROOT, REPORT), reportOf(JSON.parse(readFileSync(RESULTS, 'utf8')), bench))
console.log(`Written: ${REPORT}`)
