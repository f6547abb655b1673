import { join } from 'node:path'
import { CACHE } from '../support/process.ts'

/** What the last run of `npm run test:faults` has told. */
export const RESULTS = join(CACHE, 'faults.json')
