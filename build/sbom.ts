/**
 * Writes `dist/sbom.cdx.json`, the bill of materials of a release (CycloneDX 1.5): every package of the lock file, those of
 * development marked, because the web app is built from some of them. Fails at a licence that is unknown or not allowed.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAllowed, licenceOf } from './licences.ts'

type Stated = {
  readonly license?: { readonly id?: string; readonly name?: string }
  readonly expression?: string
}
type Component = { name: string; readonly version: string; licenses?: readonly Stated[] }

const root = join(import.meta.dirname, '..')
const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
const bill = JSON.parse(
  execFileSync('npm', command, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
) as { readonly metadata: { readonly component: Component }; readonly components: readonly Component[] }
// npm takes the name of the folder.
bill.metadata.component.name = 'fahrplan'

const refused: string[] = []
for (const component of bill.components) {
  if (component.name === 'fahrplan-client') continue
  const [stated] = component.licenses ?? []
  const licence = licenceOf(
    component.name,
    stated?.license?.id ?? stated?.license?.name ?? stated?.expression,
  )
  if (isAllowed(licence)) component.licenses = [{ expression: licence }]
  else refused.push(`${component.name} ${component.version}: ${licence ?? 'no licence'}`)
}
if (refused.length > 0) throw new Error(`Licences that are unknown or not allowed:\n${refused.join('\n')}`)
mkdirSync(join(root, 'dist'), { recursive: true })
writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
console.log(`Wrote dist/sbom.cdx.json with ${bill.components.length} packages.`)
