import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, entriesOf, fileEntry, folderEntry } from './archive.ts'

/** A package of Debian whose libraries the image holds. */
export type BasePackage = {
  readonly name: string
  readonly version: string
  readonly sha256: string
  readonly licence: string
}

type Base = { readonly suite: string; readonly packages: readonly BasePackage[] }

/** The packages that Node needs: the C library, and the runtimes of the compilers. */
export const BASE: Base = JSON.parse(readFileSync(join(import.meta.dirname, 'base.json'), 'utf8'))

/** The user of the service in the image. */
export const IMAGE_USER = 1000

/** Libraries, and the licences, which two packages have as a link to the third. */
const KEPT = /^usr\/lib(64|\/x86_64-linux-gnu)\/[^/]+\.so[\d.]*$|^usr\/share\/doc\/[^/]+(\/copyright)?$/

/**
 * Returns the entries of the image's first layer. apt downloads the packages from the mirror into the folder; their versions and hashes are
 * pinned. Throws if the mirror no longer has a version: snapshot.debian.org keeps all of them.
 */
export function baseEntries(folder: string, mirror: string): Entry[] {
  const files = download(folder, mirror)
  const tree = join(folder, 'tree')
  for (const file of files) execFileSync('dpkg-deb', ['-x', file, tree])
  const found = entriesOf(join(tree, 'usr'), 'usr')
  const kept = found.filter(({ path, type }) => type !== 'Directory' && KEPT.test(path))
  const folders = found.filter(
    ({ path, type }) => type === 'Directory' && kept.some((one) => one.path.startsWith(`${path}/`)),
  )
  return [
    ...folders,
    ...kept,
    { path: 'lib', type: 'SymbolicLink', mode: 0o777, target: 'usr/lib' },
    { path: 'lib64', type: 'SymbolicLink', mode: 0o777, target: 'usr/lib64' },
    folderEntry('etc'),
    fileEntry('etc/passwd', `root:x:0:0::/:\nfahrplan:x:${IMAGE_USER}:${IMAGE_USER}::/data:\n`),
    fileEntry('etc/group', `root:x:0:\nfahrplan:x:${IMAGE_USER}:\n`),
    fileEntry('etc/nsswitch.conf', 'hosts: files dns\n'),
    folderEntry('tmp', 0o1777),
    folderEntry('data', 0o700, IMAGE_USER),
  ]
}

/** Downloads the packages of the base. Returns their files, all of them with the pinned content. */
function download(folder: string, mirror: string): string[] {
  for (const part of ['lists/partial', 'archives/partial']) mkdirSync(join(folder, part), { recursive: true })
  const list = join(folder, 'sources.list')
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(list, `deb [signed-by=${keys} check-valid-until=no] ${mirror} ${BASE.suite} main\n`)
  const settings = [
    `Dir::State=${folder}`,
    `Dir::State::status=/dev/null`,
    `Dir::Cache=${folder}`,
    `Dir::Etc::SourceList=${list}`,
    'Dir::Etc::SourceParts=/dev/null',
    'APT::Architecture=amd64',
    'APT::Sandbox::User=root',
  ].flatMap((setting) => ['-o', setting])
  execFileSync('apt-get', [...settings, '-qq', 'update'], { stdio: 'inherit' })
  return BASE.packages.map(({ name, version, sha256 }) => {
    execFileSync('apt-get', [...settings, '-qq', 'download', `${name}=${version}`], {
      cwd: folder,
      stdio: 'inherit',
    })
    const file = join(folder, `${name}_${version.replaceAll(':', '%3a')}_amd64.deb`)
    const found = createHash('sha256').update(readFileSync(file)).digest('hex')
    if (found !== sha256) throw new Error(`${file} has the SHA-256 ${found}, not ${sha256}.`)
    return file
  })
}
