/**
 * Writes `dist/sbom.cdx.json`, the bill of materials of a release (CycloneDX 1.5): every package of the lock file, those of
 * development marked, because the web app is built from some of them, and the libraries of the image. Fails at a licence that is
 * unknown or not allowed. Its bytes depend on the lock file and `SOURCE_DATE_EPOCH` alone.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAllowed, isAllowedInImage, licenceOf } from './licences.ts'
import { BASE } from './release/base.ts'

type Stated = {
  readonly license?: { readonly id?: string; readonly name?: string }
  readonly expression?: string
}
type Component = { name: string; readonly version: string; licenses?: readonly Stated[] }
type Bill = {
  serialNumber: string
  readonly metadata: { timestamp: string; tools: readonly object[]; readonly component: Component }
  readonly components: (Component & { readonly [field: string]: unknown })[]
}

const root = join(import.meta.dirname, '..')
const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
const bill: Bill = JSON.parse(
  execFileSync('npm', command, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
)
// npm takes the name of the folder, and adds its version, the time and a number by chance.
bill.metadata.component.name = 'fahrplan'
bill.metadata.tools = [{ vendor: 'npm', name: 'cli' }]
const epoch = process.env.SOURCE_DATE_EPOCH
bill.metadata.timestamp = (epoch ? new Date(Number(epoch) * 1_000) : new Date()).toISOString()
bill.serialNumber = ''

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
for (const { name, version, sha256, licence } of BASE.packages) {
  if (!isAllowedInImage(licence)) refused.push(`${name} ${version}: ${licence}`)
  bill.components.push({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=amd64&distro=${BASE.suite}`,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    licenses: [{ expression: licence }],
  })
}
if (refused.length > 0) throw new Error(`Licences that are unknown or not allowed:\n${refused.join('\n')}`)
const hash = createHash('sha256').update(JSON.stringify(bill)).digest('hex')
bill.serialNumber = `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}`
mkdirSync(join(root, 'dist'), { recursive: true })
writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
console.log(`Wrote dist/sbom.cdx.json with ${bill.components.length} packages.`)
