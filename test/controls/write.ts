import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/process.ts'
import { CONTROLS_DOCUMENT, controlsDocument } from './document.ts'

writeFileSync(join(ROOT, CONTROLS_DOCUMENT), controlsDocument())
console.log(`Written: ${CONTROLS_DOCUMENT}`)
