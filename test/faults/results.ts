import { join } from 'node:path'
import { CACHE } from '../support/process.ts'

/** The results of the last run of `npm run test:faults`. */
export const RESULTS = join(CACHE, 'faults.json')
