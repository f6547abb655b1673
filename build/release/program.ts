import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, entriesOf, folderEntry } from './archive.ts'

/** The files of the repository that a release holds, and what the build has made. */
const PARTS = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bin',
  'deploy',
  'dist',
  'docs',
  'package-lock.json',
  'package.json',
  'packs',
  'src',
]

/** Files of the repository that only a checkout uses. */
const LEFT_OUT = [/^src\/web(\/|$)/, /\.test\.ts$/, /\.test-support\.ts$/, /^docs\/screenshots(\/|$)/]

/** Programs that packages bring, npm's note on the installed tree, the client's link into the repository, and headers for C++. */
const UNUSED = [
  /^node_modules\/\.bin\/(?!node$)/,
  /^node_modules\/\.package-lock\.json$/,
  /^node_modules\/fahrplan-client$/,
  /^node_modules\/node-linux-\w+\/(include|share)(\/|$)/,
]

/** Returns the entries of the program under a path: the parts of a built checkout, and packages that were installed apart. */
export function programEntries(checkout: string, packages: string, path: string): Entry[] {
  const missing = PARTS.filter((part) => !existsSync(join(checkout, part)))
  if (missing.length > 0) throw new Error(`The build lacks ${missing.join(', ')}.`)
  const own = PARTS.flatMap((part) => entriesOf(join(checkout, part), part))
  const others = entriesOf(join(packages, 'node_modules'), 'node_modules')
  const kept = [
    ...own.filter((one) => !LEFT_OUT.some((pattern) => pattern.test(one.path))),
    ...others.filter((one) => !UNUSED.some((pattern) => pattern.test(one.path))),
  ]
  return [folderEntry(path), ...kept.map((one) => ({ ...one, path: `${path}/${one.path}` }))]
}
