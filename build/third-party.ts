import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { isAllowed, licenceOf } from './licences.ts'

const FILE = 'third-party-licences.txt'
const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
/** The packages of the service worker, which another build puts together. */
const OF_WORKER = ['core', 'precaching', 'routing', 'strategies'].map((name) => `workbox-${name}`)

/** Writes the licences of the packages that are built into the app next to it: their own files do not come with a release. */
export function thirdPartyLicences(root: string): Plugin {
  return {
    name: 'third-party-licences',
    apply: 'build',
    generateBundle() {
      const folders = [...this.getModuleIds()].flatMap((id) => FOLDER.exec(id)?.[0] ?? [])
      const ofWorker = OF_WORKER.map((name) => join(root, 'node_modules', name))
      this.emitFile({ type: 'asset', fileName: FILE, source: licencesOf([...folders, ...ofWorker]) })
    },
  }
}

/** Returns the notices of packages in these folders. Throws for a licence that is unknown or not allowed. */
export function licencesOf(folders: readonly string[]): string {
  const notices = [...new Set(folders)].map(noticeOf)
  return [...new Set(notices)].toSorted().join(`\n${'-'.repeat(80)}\n\n`)
}

function noticeOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const licence = licenceOf(name, license)
  if (!isAllowed(licence)) throw new Error(`${name} ${version}: ${licence ?? 'no licence'}`)
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)(\.\w+|-[\w.]+)?$/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const holder = typeof author === 'string' ? author : author?.name
  // Some packages have no text but the name of a known licence.
  const text = texts.length > 0 ? texts.join('\n\n') : `Copyright: ${holder ?? `the authors of ${name}`}`
  return `${name} ${version} (${licence})\n\n${text}\n`
}
